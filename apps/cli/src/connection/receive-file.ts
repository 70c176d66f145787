/** What the server streams: into a file, or on to stdout. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure, usageFailure } from '#failure.ts'
import { note, write } from '#terminal/say.ts'
import { shownLines } from '#terminal/shown-text.ts'
import { unlessStopped } from '#terminal/unless-stopped.ts'

/** @param to a file; absent: stdout @throws Failure */
export async function printDownload(body: ReadableStream<Uint8Array> | null, to: string | undefined): Promise<void> {
  if (body === null) throw new Failure('unreachable', 'The server sent nothing.')
  await (to === undefined ? cutOffAsFailure(passToStdout(body)) : receiveFile(body, to))
  if (to !== undefined) note(`Written: ${to}`, 'green')
}

/**
 * A download that is cut off or stopped leaves the file that was there. It is for its user alone, and its name while it
 * arrives cannot be guessed, so that nobody who may write into the folder leads it elsewhere.
 */
export async function receiveFile(body: ReadableStream<Uint8Array>, path: string): Promise<void> {
  await cutOffAsFailure(writeWhole(body, path), path)
}

async function writeWhole(body: ReadableStream<Uint8Array>, path: string): Promise<void> {
  const part = `${path}.part-${randomUUID()}`
  const interrupted = () => new Failure('interrupted', 'Stopped before everything had arrived.')
  await unlessStopped({ interrupted }, async (signal) => {
    const file = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true })
    try {
      await pipeline(Readable.fromWeb(body), file, { signal })
      await rename(part, path)
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
  })
}

/** A terminal gets the text without commands for it. */
export async function passToStdout(body: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder()
  const isTerminal = process.stdout.isTTY === true
  for await (const chunk of Readable.fromWeb(body) as AsyncIterable<Uint8Array>) {
    await write(isTerminal ? shownLines(decoder.decode(chunk, { stream: true })) : chunk)
  }
}

/** @param path of the file that is written; absent: stdout */
export async function cutOffAsFailure(work: Promise<void>, path = 'The output'): Promise<void> {
  try {
    await work
  } catch (error) {
    if (error instanceof Failure) throw error
    // What the system says about a file has a code; what fetch says about a connection is a TypeError.
    if (error instanceof Error && !(error instanceof TypeError) && 'syscall' in error)
      throw usageFailure(`${path} cannot be written: ${whyOf(error)}.`)
    throw new Failure('unreachable', 'The connection was cut before everything had arrived.')
  }
}

/** Without the path that the system names: it is that of a part. */
function whyOf({ code, message }: Error & { code?: unknown }): string {
  switch (code) {
    case 'ENOENT':
      return 'there is no such folder'
    case 'EACCES':
    case 'EPERM':
      return 'you may not write there'
    case 'EISDIR':
      return 'it is a folder'
    case 'ENOSPC':
      return 'the disk is full'
    default:
      return message
  }
}
