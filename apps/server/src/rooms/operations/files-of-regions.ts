/** Files on their way between regions and the console's store, with progress. */
import { createHash } from 'node:crypto'
import type { RegionClient, RegionFileSource } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { StepFailed } from '#operations/index.ts'
import type { FileStore } from '#platform/file-store.ts'
import type { RoomCall } from './room-call.ts'

/** A file that a region's job left: its id there, bytes, hexadecimal SHA-256. */
export const regionFile = z.object({ file: z.string(), size: z.int(), sha256: z.string() })
export type RegionFileMade = z.infer<typeof regionFile>

const reportMilliseconds = 500

/** Streams the region's file into the store. @throws StepFailed when it is not the one that the job announced */
export async function fetchFromRegion(
  call: RoomCall,
  region: RegionClient,
  made: RegionFileMade,
  key: string,
): Promise<void> {
  const file = await region.getFile(made.file)
  const content = withProgress(call, file.content, made.size)
  const kept = await call.services.files.put(key, content, { signal: call.signal })
  if (kept.sha256 === made.sha256 && kept.size === made.size) return
  await call.services.files.remove(key)
  throw new StepFailed('The region gave another file than the one that it had made.')
}

/** A file of the store, as something to send to a region. */
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

/** Hexadecimal. @param size bytes, for the progress */
export async function sha256Of(call: RoomCall, content: AsyncIterable<Uint8Array>, size: number): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of withProgress(call, content, size)) hash.update(chunk)
  return hash.digest('hex')
}

async function* withProgress(
  call: RoomCall,
  content: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array> {
  let passed = 0
  let reportedAt = Date.now()
  for await (const chunk of content) {
    call.signal.throwIfAborted()
    passed += chunk.byteLength
    yield chunk
    if (Date.now() - reportedAt < reportMilliseconds) continue
    reportedAt = Date.now()
    await call.progress(size === 0 ? 1 : passed / size)
  }
}
