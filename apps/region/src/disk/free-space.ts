/**
 * What comes from outside never fills the disk: a reserve stays free, so that users can go on writing and somebody can
 * delete. It is looked at before something is written, and again and again while it is.
 */
import { statfs } from 'node:fs/promises'
import { refuse } from '#refusals.ts'

const megabyte = 1024 * 1024
const reserveBytesAtMost = 256 * megabyte
const reserveShare = 0.02
const looksEveryBytes = 16 * megabyte

/** @throws {Refusal} 'storage-full' when so many bytes more would reach into the reserve */
export async function refuseWithoutSpace(folder: string, bytes: number): Promise<void> {
  const disk = await statfs(folder)
  const reserve = Math.min(reserveBytesAtMost, reserveShare * disk.blocks * disk.bsize)
  if (disk.bavail * disk.bsize - bytes < reserve) throw refuse('storage-full')
}

/** The same content, as long as there is space for it in the folder. @throws {Refusal} 'storage-full' */
export async function* whileThereIsSpace(content: AsyncIterable<Buffer>, folder: string): AsyncGenerator<Buffer> {
  let unseen = looksEveryBytes
  for await (const chunk of content) {
    unseen += chunk.byteLength
    if (unseen >= looksEveryBytes) {
      await refuseWithoutSpace(folder, chunk.byteLength)
      unseen = 0
    }
    yield chunk
  }
}
