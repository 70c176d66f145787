/** Reads a multipart upload with one file while it arrives. */

import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { because, fieldError } from '@roomkeeper/contract'
import { refuse, refuseInput } from '../refuse.ts'
import { inUnits } from '../units-of-bytes.ts'
import type { IncomingUpload } from './handler.ts'

export interface ReceivedFile {
  /** The name that the client gave, without a path. */
  fileName: string
  /** Fails when the client disconnects, sends too much, or sends anything but one file. */
  content: AsyncIterable<Uint8Array>
}

export interface ReceiveOptions<T> {
  /** The form's field that holds the file. */
  field: string
  limitBytes: number
  /** Reads the content to its end; leaves nothing behind if it throws. */
  take(file: ReceivedFile): Promise<T>
  /** Discards the stored content, when the rest of the form was wrong. */
  discard(taken: T): Promise<void>
}

const maxSilentMilliseconds = 120_000
/** The most that a form may send besides its file. */
const formBytes = 64 * 1024

/** @throws Refusal `wrong-media-type`, `too-large`, `invalid-input`, `malformed`; the errors of `take` */
export async function receiveFile<T>(upload: IncomingUpload, options: ReceiveOptions<T>): Promise<T> {
  if ((upload.contentLength ?? 0) > options.limitBytes + formBytes) throw tooLarge(options.limitBytes)
  const parser = formParser(upload.contentType)
  const { promise: failure, reject: fail } = Promise.withResolvers<never>()
  failure.catch(() => undefined)
  let file: Readable | undefined
  let taken: Promise<T> | undefined
  parser.on('file', (name, content, fileName) => {
    // The reader of the content gets the error; a reader that stops early is not an error.
    content.on('error', () => undefined)
    if (name === options.field && file === undefined) {
      file = content
      taken = options.take({ fileName: fileName ?? '', content: limited(content, options.limitBytes) })
      taken.catch(fail)
      return
    }
    content.resume()
    if (file !== undefined) fail(refuseInput([fieldError('file', 'files-too-many')]))
  })
  const stopWatching = failWhenCutOff(upload.content, fail)
  try {
    const read = new Promise<void>((resolve) => parser.once('finish', resolve))
    parser.on('error', () => fail(refuse('malformed', { reason: because('form-not-whole') })))
    upload.content.pipe(parser)
    await Promise.race([read, failure])
    if (taken === undefined) throw refuseInput([fieldError('file', 'file-missing')])
    return await Promise.race([taken, failure])
  } catch (error) {
    upload.content.unpipe(parser)
    file?.destroy(error instanceof Error ? error : undefined)
    await taken?.then(options.discard, () => undefined)
    throw error
  } finally {
    stopWatching()
  }
}

function formParser(contentType: string | undefined): BusboyInstance {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? ''))
    throw refuse('wrong-media-type', { expected: 'multipart/form-data' })
  try {
    return new Busboy({
      headers: { 'content-type': contentType ?? '' },
      fileHwm: 1024 * 1024,
      limits: { fields: 20, fieldSize: 1024, parts: 25, headerPairs: 50, headerSize: 16 * 1024 },
    })
  } catch {
    throw refuse('malformed', { reason: because('form-without-boundary') })
  }
}

async function* limited(content: Readable, limitBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const bytes of content as AsyncIterable<Uint8Array>) {
    size += bytes.length
    if (size > limitBytes) throw tooLarge(limitBytes)
    yield bytes
  }
}

/** Fails the upload when the connection is cut off or silent for too long. */
function failWhenCutOff(content: IncomingUpload['content'], fail: (error: Error) => void): () => void {
  const cutOff = () => {
    if (!content.complete) fail(refuse('malformed', { reason: because('connection-cut-off') }))
  }
  let heardAt = performance.now()
  const heard = () => {
    heardAt = performance.now()
  }
  const watching = setInterval(() => {
    if (performance.now() - heardAt < maxSilentMilliseconds) return
    fail(refuse('malformed', { reason: because('nothing-arrived') }))
    content.destroy()
  }, 5_000)
  content.on('data', heard).on('error', cutOff).on('close', cutOff)
  return () => {
    clearInterval(watching)
    content.off('data', heard).off('close', cutOff)
  }
}

function tooLarge(limitBytes: number) {
  return refuse('too-large', { limit: inUnits(limitBytes) })
}
