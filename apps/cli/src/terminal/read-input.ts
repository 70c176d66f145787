/** Reads what is piped in, or a file. */
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { usageFailure } from '#failure.ts'

/** @param path `-` is stdin */
export async function readInput(path: string): Promise<string> {
  if (path === '-') return text(process.stdin)
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usageFailure(`${path} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}.`)
  })
}
