/** Room backups (.zip) in the process for work apart: what they say they are, and their files. */
import { isDeepStrictEqual } from 'node:util'
import type { BackupManifest } from '@roomkeeper/region-protocol'
import type { Report } from '#apart/tasks.ts'
import { refuse } from '#refusals.ts'
import { withRoomBackup } from './read-room-backup.ts'

export interface BackupToUnpack {
  path: string
  /** As it was read before. */
  manifest: BackupManifest
  folder: string
}

const never = new AbortController().signal

export function readManifest({ path }: { path: string }): Promise<BackupManifest> {
  return withRoomBackup(path, async ({ manifest }) => manifest)
}

/** @throws {Refusal} also when it is another backup by now */
export function unpackBackup({ path, manifest, folder }: BackupToUnpack, report: Report): Promise<void> {
  return withRoomBackup(path, (backup) => {
    if (!isDeepStrictEqual(backup.manifest, manifest)) throw refuse('damaged-file', { reason: 'it is another by now.' })
    return backup.extract(folder, never, report)
  })
}
