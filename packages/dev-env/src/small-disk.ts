/** A small file system that tests can fill up. Needs root, and permission to mount. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { open, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  folder: string
  /** Fills it up until about this many bytes are left. */
  fillUpTo(bytes: number): Promise<void>
  /** Removes the file that fills it up. */
  relieve(): Promise<void>
  remove(): void
}

/** Null: this machine does not allow mounts. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'roomkeeper-small-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmdirSync(folder)
    return null
  }
  const filler = join(folder, 'filler')
  const relieve = () => rm(filler, { force: true })
  return {
    folder,
    relieve,
    async fillUpTo(bytes) {
      await relieve()
      const { bavail, bsize } = await statfs(folder)
      const file = await open(filler, 'w')
      try {
        const piece = Buffer.alloc(256 * bsize)
        let blocks = bavail - Math.ceil(bytes / bsize)
        for (; blocks > 0; blocks -= 256) await file.write(piece, 0, Math.min(blocks, 256) * bsize)
      } catch (error) {
        // Another process has used the last of the space meanwhile.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        await file.close()
      }
    },
    remove() {
      execFileSync('umount', ['--lazy', folder])
      rmdirSync(folder)
    },
  }
}
