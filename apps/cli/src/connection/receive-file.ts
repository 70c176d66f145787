/** What the server streams, into a file. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure } from '#failure.ts'

/** A download that is cut off leaves the file that was there. */
export async function receiveFile(body: ReadableStream<Uint8Array>, path: string): Promise<void> {
  const part = `${path}.part`
  try {
    await pipeline(Readable.fromWeb(body as never), createWriteStream(part, { flush: true }))
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

export async function cutOffAsFailure(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    // What the system itself refuses, such as a folder that is not there, has a code in capitals.
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (/^E[A-Z]+$/.test(code) && error instanceof Error && 'syscall' in error && 'path' in error)
      throw new Failure('usage', error.message)
    throw new Failure('unreachable', 'The connection was cut before everything had arrived.')
  }
}
