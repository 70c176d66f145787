/**
 * Space for deleting. On a full disk nothing could be deleted, because a deletion has to record itself first. So a file
 * of a few megabytes is kept, and given up for the first deletion that meets a full disk. Until the file can be made
 * again, everything that grows is refused, because it would take the space that the next deletions need.
 */

import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, statfsSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { refusalOfError, refuse } from '#refusals.ts'
import { statIfPresentSync, watchedSync } from './files.ts'

export interface Reserve {
  /** Work that makes space; it runs a second time when the disk is full and the reserve has been given up for it. */
  forDeletion<T>(work: () => Promise<T>): Promise<T>
  forDeletionSync<T>(work: () => T): T
  /** @throws {Refusal} 'storage-full' while the reserve is given up and there is no space to make it again */
  refuseGrowth(): void
  /** Makes the reserve again, if there is space. */
  keep(): void
}

const reserveBytes = 4 * 1024 * 1024

export function createReserve(dataDir: string): Reserve {
  const path = join(dataDir, 'reserve')
  let isKept = (statIfPresentSync(path)?.size ?? 0) >= reserveBytes

  /** @returns whether the reserve existed and was given up. */
  function giveUp(error: unknown): boolean {
    if (refusalOfError(error).code !== 'storage-full' || !isKept) return false
    isKept = false
    truncateSync(path, 0)
    return true
  }

  function keep(): void {
    if (isKept) return
    const { bavail, bsize } = statfsSync(dataDir)
    if (bavail * bsize < 2 * reserveBytes) return
    try {
      watchedSync('write', path, () => write(path))
      isKept = true
    } catch {
      // The disk has become full meanwhile, or fails: the next call tries again.
    }
  }

  return {
    keep,
    async forDeletion(work) {
      try {
        return await work()
      } catch (error) {
        if (!giveUp(error)) throw error
        return work()
      }
    },
    forDeletionSync(work) {
      try {
        return work()
      } catch (error) {
        if (!giveUp(error)) throw error
        return work()
      }
    },
    refuseGrowth() {
      keep()
      if (!isKept) throw refuse('storage-full')
    },
  }
}

/** Random bytes, because some file systems store zeros without using space. */
function write(path: string): void {
  const file = openSync(path, 'w')
  try {
    writeSync(file, randomBytes(reserveBytes))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
