/**
 * Disk space kept for deletions. On a full disk nothing could be deleted, because a deletion first has to be recorded.
 * So the region keeps a file of a few megabytes, and gives it up for the first deletion that meets a full disk. Until
 * it can make the file again, it refuses everything that needs more space, because the next deletions need that space.
 */

import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, statfsSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { refusalOfError, refuse } from '#refusals.ts'
import { statIfPresentSync, watchedSync } from './files.ts'

export interface Reserve {
  /** Runs work that frees space. If the disk is full, gives up the reserve and runs the work a second time. */
  forDeletion<T>(work: () => Promise<T>): Promise<T>
  forDeletionSync<T>(work: () => T): T
  /** @throws {Refusal} 'storage-full' while the reserve has been given up and cannot be made again */
  refuseGrowth(): void
  /** Makes the reserve, if there is none and there is space for it. */
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
      // The disk has become full meanwhile, or it fails. The next call tries again.
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
