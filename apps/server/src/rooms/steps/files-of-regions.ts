/** Transfers files between regions and the backup store, and reports progress. */
import { createHash } from 'node:crypto'
import { type RegionClient, type RegionFileSource, RegionJobFailed, RegionRefusal } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import type { FileStore } from '#platform/file-store.ts'
import type { RoomCall } from './room-call.ts'

/** A file that a job has made on its region: the id there, the size in bytes and the hexadecimal SHA-256. */
export const regionFile = z.object({ file: z.string(), size: z.int(), sha256: z.string() })
export type RegionFileMade = z.infer<typeof regionFile>

const reportMilliseconds = 500

/** Streams the region's file into the store. @throws RegionRefusal if it is not the file that the job announced */
export async function fetchFromRegion(
  call: RoomCall,
  region: RegionClient,
  made: RegionFileMade,
  key: string,
): Promise<void> {
  const { content } = await region.getFile(made.file, made)
  await call.services.files.put(key, withProgress(call, content, made.size), {
    signal: call.signal,
    size: made.size,
    // The client compares what passes with what the job announced.
    sha256: made.sha256,
  })
}

/** A file of the store as a source to send to a region. */
export function storedSource(
  files: FileStore,
  file: { storeKey: string; size: number; sha256: string },
): RegionFileSource {
  return {
    size: file.size,
    sha256: file.sha256,
    async *open(firstByte) {
      yield* await files.open(file.storeKey, { start: firstByte })
    },
  }
}

/** Hexadecimal. @param size the recorded size in bytes; reading stops soon after it, because longer content differs */
export async function sha256Of(call: RoomCall, content: AsyncIterable<Uint8Array>, size: number): Promise<string> {
  const hash = createHash('sha256')
  let read = 0
  for await (const chunk of withProgress(call, content, size)) {
    hash.update(chunk)
    read += chunk.byteLength
    if (read > size) break
  }
  return hash.digest('hex')
}

async function* withProgress(
  call: RoomCall,
  content: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let passed = 0
  let reportedAt = performance.now()
  for await (const chunk of content) {
    call.signal.throwIfAborted()
    passed += chunk.byteLength
    yield chunk
    if (performance.now() - reportedAt < reportMilliseconds) continue
    reportedAt = performance.now()
    await call.progress(size === 0 ? 1 : passed / size)
  }
}

export function isFileUnknown(error: unknown): boolean {
  return isOfRegion(error, 'file-unknown')
}

/** Regions keep files, and the contents that a restore has replaced, for a limited time. */
export function isOfRegion(error: unknown, code: 'file-unknown' | 'content-gone'): boolean {
  const isRegions = error instanceof RegionJobFailed || error instanceof RegionRefusal
  return isRegions && error.type === `urn:roomkeeper-region:${code}`
}
