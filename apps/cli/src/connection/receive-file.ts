/** Writes what the server streams into a file or to stdout. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure, usageFailure } from '#failure.ts'
import { shownLines, withoutControls, withoutControlsInJson } from '#terminal/shown-text.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { unlessStopped } from '#terminal/unless-stopped.ts'
import { openTarget, targetOf } from './target-of.ts'

interface Download {
  body: ReadableStream<Uint8Array> | null
  mediaType: string
  /** A file; absent: stdout. */
  to?: string | undefined
}

/** @throws Failure */
export async function printDownload(terminal: Terminal, { body, mediaType, to }: Download): Promise<void> {
  if (body === null) throw new Failure('unreachable', 'The server sent nothing.')
  await (to === undefined ? cutOffAsFailure(passToStdout(terminal, body, mediaType)) : receiveFile(terminal, body, to))
  if (to !== undefined) terminal.note(`Written: ${to}`, 'green')
}

/**
 * A download that is cut off or stopped leaves the earlier file in place. Only the user can read the new file. Its name
 * while it arrives cannot be guessed, so that another user who may write into the folder cannot redirect it.
 */
export async function receiveFile(terminal: Terminal, body: ReadableStream<Uint8Array>, path: string): Promise<void> {
  await cutOffAsFailure(writeTo(terminal, body, path), path)
}

async function writeTo(terminal: Terminal, body: ReadableStream<Uint8Array>, path: string): Promise<void> {
  const interrupted = () => new Failure('interrupted', 'Stopped before everything had arrived.')
  await unlessStopped(terminal, { interrupted }, async (signal) => {
    const arriving = Readable.fromWeb(body)
    try {
      const target = await targetOf(path)
      if (target.kind === 'file') await replaceFile(target.path, arriving, signal)
      else await pipeline(arriving, await openTarget(terminal, target, signal), { signal })
    } finally {
      // An unread body would keep the connection open, and with it the process.
      arriving.destroy()
    }
  })
}

async function replaceFile(path: string, arriving: Readable, signal: AbortSignal): Promise<void> {
  const part = `${path}.part-${randomUUID()}`
  const file = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true })
  try {
    await pipeline(arriving, file, { signal })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/**
 * Removes terminal commands from texts, also into a pipe, because a pipe may end on a terminal. Other content passes
 * byte by byte, but not to a terminal.
 * @param mediaType of the contract; what the server says may be wrong
 */
export async function passToStdout(
  terminal: Terminal,
  body: ReadableStream<Uint8Array>,
  mediaType: string,
): Promise<void> {
  const isTerminal = terminal.showsOutput
  const isJson = mediaType.startsWith('application/json')
  const arriving = Readable.fromWeb(body) as AsyncIterable<Uint8Array>
  if (!isTerminal && !isJson && !mediaType.startsWith('text/')) {
    for await (const chunk of arriving) await terminal.write(chunk)
    return
  }
  const safe = isTerminal ? shownLines : isJson ? withoutControlsInJson : withoutControls
  for await (const text of wholeLineEnds(arriving)) await terminal.write(text.split('\r\n').map(safe).join('\r\n'))
}

/** No carriage return is parted from its line feed: alone, it lets a terminal write over its line. */
async function* wholeLineEnds(arriving: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let held = ''
  for await (const chunk of arriving) {
    const text = held + decoder.decode(chunk, { stream: true })
    held = text.endsWith('\r') ? '\r' : ''
    yield text.slice(0, text.length - held.length)
  }
  yield held + decoder.decode()
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

/** Leaves out the path that the system names, because it is that of a part. */
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
