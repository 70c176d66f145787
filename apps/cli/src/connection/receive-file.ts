/** What the server streams: into a file, or on to stdout. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure, usageFailure } from '#failure.ts'
import { write } from '#terminal/say.ts'
import { shownLines } from '#terminal/shown-text.ts'

/** A download that is cut off leaves the file that was there. */
export async function receiveFile(body: ReadableStream<Uint8Array>, path: string): Promise<void> {
  const part = `${path}.part-${process.pid}`
  try {
    await pipeline(Readable.fromWeb(body), createWriteStream(part, { flush: true }))
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** A terminal gets the text without commands for it. */
export async function passToStdout(body: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder()
  const isTerminal = process.stdout.isTTY === true
  for await (const chunk of Readable.fromWeb(body) as AsyncIterable<Uint8Array>) {
    await write(isTerminal ? shownLines(decoder.decode(chunk, { stream: true })) : chunk)
  }
}

export async function cutOffAsFailure(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    // What the system says about a file has a code; what fetch says about a connection is a TypeError.
    if (error instanceof Error && !(error instanceof TypeError) && 'syscall' in error)
      throw usageFailure(`The file cannot be written: ${error.message}`)
    throw new Failure('unreachable', 'The connection was cut before everything had arrived.')
  }
}
