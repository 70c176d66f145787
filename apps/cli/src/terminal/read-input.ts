/** Reads what is piped in, or a file. */
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { usageFailure } from '#failure.ts'

/** @param path `-` is stdin @throws Failure */
export async function readInput(path: string): Promise<string> {
  const name = path === '-' ? 'stdin' : path
  const bytes = await (path === '-' ? buffer(process.stdin) : readFile(path)).catch(cannotBeRead(name))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw usageFailure(`${name} is not UTF-8.`, 'Convert it first, for example with iconv.')
  }
}

function cannotBeRead(path: string) {
  return (error: NodeJS.ErrnoException): never => {
    throw usageFailure(`${path} cannot be read: ${whyOf(error)}.`)
  }
}

function whyOf({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'ENOENT':
      return 'there is no such file'
    case 'EISDIR':
      return 'it is a folder'
    default:
      return message
  }
}
