/**
 * Receives a file whose size and digest are unknown before its end: its content, followed by its SHA-256. It arrives in
 * a temporary folder and becomes a file as a whole, so that an upload that breaks off leaves nothing.
 */
import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { createRateMeter, type FileInfo, type MinimumRate, sha256Bytes, slowestRate } from '@roomkeeper/region-protocol'
import { open } from '#disk/files.ts'
import { refusingWhenFull } from '#disk/free-space.ts'
import { refuse } from '#refusals.ts'
import { borrowPieces } from './borrowed-pieces.ts'
import type { FileStore } from './file-store.ts'
import { type FileSum, inPieces } from './sha256-of-file.ts'

export interface UnknownUpload {
  /** Bytes, without the digest. */
  sizeAtMost: number
  content: Readable
  /** Tests use another one. */
  slowest?: MinimumRate
}

/** @throws {Refusal} 'file-exists', 'too-large', 'too-slow', 'digest-mismatch', 'malformed', 'storage-full' */
export async function receiveUnknown(files: FileStore, id: string, upload: UnknownUpload): Promise<FileInfo> {
  const { content } = upload
  try {
    if ((await files.find(id))?.complete) throw refuse('file-exists')
    const { size, sha256 } = await files.produce(id, (path) => writeChecked(path, upload))
    return { id, size, received: size, complete: true, sha256 }
  } catch (error) {
    // The connection has to carry the answer.
    content.resume()
    throw error
  }
}

/** So that the end, at which the sender waits, has little left to bring to disk. */
const syncsEveryBytes = 32 * 1024 * 1024

async function writeChecked(path: string, { content, sizeAtMost, slowest }: UnknownUpload): Promise<FileSum> {
  const announced = { sha256: Buffer.alloc(0) }
  const chunks = gettingOn(content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>, slowest)
  const arriving = untilDigest(chunks, announced)
  const hash = createHash('sha256')
  let [size, unsynced] = [0, 0]
  let syncing = Promise.resolve()
  const pieces = borrowPieces()
  const file = await open(path, 'w')
  try {
    for await (const piece of inPieces(refusingWhenFull(arriving, dirname(path)), pieces.piece)) {
      size += piece.byteLength
      unsynced += piece.byteLength
      if (size > sizeAtMost) throw refuse('too-large')
      const writing = file.write(piece)
      // Meanwhile another thread writes it.
      hash.update(piece)
      await writing
      if (unsynced < syncsEveryBytes) continue
      await syncing
      syncing = file.sync()
      // Awaited before the next one, or at the end.
      syncing.catch(() => undefined)
      unsynced = 0
    }
    await syncing
    pieces.giveBack()
  } finally {
    await syncing.catch(() => undefined)
    await file.close()
  }
  if (announced.sha256.byteLength < sha256Bytes)
    throw refuse('malformed', { reason: 'The digest at the end is missing.' })
  const sha256 = hash.digest('hex')
  if (sha256 !== announced.sha256.toString('hex')) throw refuse('digest-mismatch')
  return { size, sha256 }
}

/**
 * The limit for silence that all requests have would let an occasional byte go on for ever, and no session ends this
 * upload. @throws {Refusal} 'too-slow'
 */
async function* gettingOn(content: AsyncIterable<Buffer>, slowest: MinimumRate = slowestRate): AsyncGenerator<Buffer> {
  const meter = createRateMeter(slowest)
  meter.wait()
  for await (const chunk of content) {
    if (!meter.moved(chunk.byteLength)) throw refuse('too-slow')
    yield chunk
    meter.wait()
  }
}

/** Yields the content without its last bytes, the digest, which it puts into `announced`. */
async function* untilDigest(content: AsyncIterable<Buffer>, announced: { sha256: Buffer }): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    const { sha256: held } = announced
    const more = held.byteLength + chunk.byteLength - sha256Bytes
    if (more <= 0 || chunk.byteLength < sha256Bytes) {
      const joined = Buffer.concat([held, chunk])
      if (more > 0) yield joined.subarray(0, more)
      announced.sha256 = joined.subarray(Math.max(more, 0))
    } else {
      if (held.byteLength > 0) yield held
      const end = chunk.byteLength - sha256Bytes
      if (end > 0) yield chunk.subarray(0, end)
      announced.sha256 = Buffer.from(chunk.subarray(end))
    }
  }
}
