/**
 * Receives files and resumes interrupted uploads. Of two uploads of the same file, the newer one wins. Only bytes that
 * were synced to disk count as received: after a power cut, a file may have its old length but another content.
 */
import type { Readable } from 'node:stream'
import type { FileInfo } from '@roomkeeper/region-protocol'
import { type OpenFile, open, readStream, truncate } from '#disk/files.ts'
import { reportTrouble } from '#disk/report-trouble.ts'
import { createKeyedMutex } from '#keyed-mutex.ts'
import { type Refusal, refusalOfError, refuse } from '#refusals.ts'
import type { Announced, FileStore } from './file-store.ts'
import { hashInPieces, type PieceHash } from './hash-thread.ts'
import { receiveUnknown, type UnknownUpload } from './receive-unknown.ts'
import { inPieces } from './sha256-of-file.ts'

export interface Upload extends Announced {
  /** The position at which the content begins; null only asks how much has arrived. */
  firstByte: number | null
  content: Readable
}

export interface Uploads {
  /** @throws {Refusal} 'file-exists', 'range-mismatch', 'digest-mismatch', 'upload-overtaken' */
  receive(id: string, upload: Upload): Promise<FileInfo>
  /** @throws {Refusal} those of `receiveUnknown`, and 'upload-overtaken' */
  receiveUnknown(id: string, upload: UnknownUpload): Promise<FileInfo>
  /** Removes the file, also one that is just arriving. */
  remove(id: string): Promise<void>
}

export function createUploads(files: FileStore): Uploads {
  const uploadMutex = createKeyedMutex()
  /** By id, the function that ends the upload under way. */
  const running = new Map<string, (reason: Refusal) => void>()
  const parts: Parts = new Map()
  const overtake = (id: string, content: Readable, work: () => Promise<FileInfo>) => {
    running.get(id)?.(refuse('upload-overtaken'))
    return uploadMutex.runExclusive(id, async () => {
      const end = (reason: Refusal) => content.destroy(reason)
      running.set(id, end)
      try {
        return await work()
      } finally {
        if (running.get(id) === end) running.delete(id)
      }
    })
  }
  return {
    receive: (id, upload) => overtake(id, upload.content, () => receive(files, parts, id, upload)),
    receiveUnknown: (id, upload) => overtake(id, upload.content, () => receiveUnknown(files, id, upload)),
    remove(id) {
      // Otherwise what has arrived by now would bring the file back.
      running.get(id)?.(refuse('upload-overtaken'))
      return uploadMutex.runExclusive(id, () => {
        parts.get(id)?.hash.drop()
        parts.delete(id)
        return files.remove(id)
      })
    },
  }
}

/** How much of a file has arrived, with the hash so far. */
interface Part {
  hash: PieceHash
  /** How many bytes have been written and digested. */
  position: number
  /** How many bytes count as received. */
  counted: number
  /** False once the hash is of more than has been written. */
  isUsable: boolean
}
/** The parts of interrupted uploads, by id, so that resuming one need not read and hash again what has arrived. */
type Parts = Map<string, Part>

async function receive(files: FileStore, parts: Parts, id: string, upload: Upload): Promise<FileInfo> {
  const { size, sha256, firstByte, content } = upload
  const known = await files.find(id)
  const isSame = known?.size === size && known.sha256 === sha256
  if (known?.complete) {
    if (!isSame) throw refuse('file-exists')
    return known
  }
  const received = isSame ? known.received : 0
  if (firstByte === null) return { id, size, received, complete: false, sha256: null }
  if (firstByte !== 0 && firstByte !== received) throw refuse('range-mismatch', { received })
  await files.refuseWithoutSpace(size - firstByte).catch(async (error: unknown) => {
    await files.remove(id)
    throw error
  })
  if (firstByte === 0) await files.announce(id, { size, sha256 })

  const part = await openPart(files, parts, id, { size, position: firstByte })
  try {
    await append(files.partOf(id), part, upload, (bytes) => files.count(id, { size, sha256 }, bytes))
  } catch (error) {
    content.resume()
    // The next try can use what has arrived, so it is kept, unless the disk is full.
    const isFull = refusalOfError(error).code === 'storage-full'
    if (!isFull && part.isUsable && part.position > 0 && part.counted === part.position) keep(parts, id, part)
    else part.hash.drop()
    if (isFull) await files.remove(id)
    throw error
  }
  if ((await part.hash.digest()) !== sha256) {
    await files.remove(id)
    throw refuse('digest-mismatch')
  }
  return files.complete(id)
}

const partsAtMost = 100

function keep(parts: Parts, id: string, part: Part): void {
  parts.get(id)?.hash.drop()
  parts.set(id, part)
  const [oldest] = parts
  if (parts.size <= partsAtMost || oldest === undefined) return
  parts.delete(oldest[0])
  oldest[1].hash.drop()
}

async function openPart(
  files: FileStore,
  parts: Parts,
  id: string,
  { size, position }: { size: number; position: number },
): Promise<Part> {
  // The client sends again what arrived after the last count.
  if (position > 0) await truncate(files.partOf(id), position)
  const known = parts.get(id)
  parts.delete(id)
  if (known?.position === position && position > 0 && !known.hash.isLost) return known
  known?.hash.drop()
  const hash = hashInPieces(size)
  if (position > 0) {
    try {
      const there = readStream(files.partOf(id), { end: position - 1, highWaterMark: 1 << 20 })
      for await (const chunk of there) await hash.add(chunk as Buffer)
    } catch (error) {
      hash.drop()
      throw error
    }
  }
  return { hash, position, counted: position, isUsable: true }
}

const countsEveryBytes = 32 * 1024 * 1024

async function append(
  path: string,
  part: Part,
  { content, size }: Upload,
  count: (bytes: number) => Promise<void>,
): Promise<void> {
  const file = await open(path, part.position === 0 ? 'w' : 'a')
  let counting = { to: part.position, ended: Promise.resolve() }
  let taking = Promise.resolve()
  try {
    // A failure must not destroy the request's stream: its connection has to carry the answer.
    for await (const piece of inPieces(content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)) {
      await taking
      if (part.position + piece.byteLength > size) throw refuse('range-mismatch', { received: part.position })
      if (part.position - counting.to >= countsEveryBytes) {
        await counting.ended
        counting = { to: part.position, ended: countPart(file, part, count) }
        // More arrives while the disk is waited for. Awaited at the next count, or at the end.
        counting.ended.catch(() => undefined)
      }
      taking = take(file, part, piece)
      // More arrives meanwhile. Awaited before the next piece is taken, or at the end.
      taking.catch(() => undefined)
    }
    await taking
    await counting.ended
    if (part.position !== size) throw refuse('range-mismatch', { received: part.position })
  } catch (error) {
    await taking.catch(() => undefined)
    // After a failed sync another one may succeed without the bytes: then the last count stays.
    await counting.ended
      .then(() => countPart(file, part, count))
      .catch((failure: unknown) => reportTrouble('An upload has to begin again', failure))
    throw error
  } finally {
    await file.close()
  }
}

/** Writes and digests a piece at the same time. */
async function take(file: OpenFile, part: Part, piece: Uint8Array): Promise<void> {
  const ended = await Promise.allSettled([file.write(piece), part.hash.add(piece)])
  const failed = ended.find((each) => each.status === 'rejected')
  if (failed !== undefined) {
    part.isUsable = false
    throw failed.reason
  }
  part.position += piece.byteLength
}

/** What is written meanwhile does not count yet. */
async function countPart(file: OpenFile, part: Part, count: (bytes: number) => Promise<void>): Promise<void> {
  const { position } = part
  await file.sync()
  await count(position)
  part.counted = position
}
