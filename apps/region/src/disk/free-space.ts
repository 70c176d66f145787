/**
 * Keeps files from outside from filling the disk: some headroom stays free, so that users can go on writing and
 * operators can delete. The free space is checked before each write and regularly during it.
 */
import { statfs } from 'node:fs/promises'
import { refuse } from '#refusals.ts'

const megabyte = 1024 * 1024
const headroomBytesAtMost = 256 * megabyte
const headroomShare = 0.02
const checksEveryBytes = 16 * megabyte

/** @throws {Refusal} 'storage-full' when this many more bytes would use up the headroom */
export async function refuseWithoutSpace(folder: string, bytes: number): Promise<void> {
  const disk = await statfs(folder)
  const headroom = Math.min(headroomBytesAtMost, headroomShare * disk.blocks * disk.bsize)
  if (disk.bavail * disk.bsize - bytes < headroom) throw refuse('storage-full')
}

/** Yields the content as long as the folder has space for it. @throws {Refusal} 'storage-full' */
export async function* refusingWhenFull(content: AsyncIterable<Buffer>, folder: string): AsyncGenerator<Buffer> {
  let unchecked = checksEveryBytes
  for await (const chunk of content) {
    unchecked += chunk.byteLength
    if (unchecked >= checksEveryBytes) {
      await refuseWithoutSpace(folder, chunk.byteLength)
      unchecked = 0
    }
    yield chunk
  }
}
