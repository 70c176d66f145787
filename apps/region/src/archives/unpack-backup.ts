/** Sandbox tasks that read a room backup (.zip): first the manifest, then the files. */
import { isDeepStrictEqual } from 'node:util'
import type { BackupManifest } from '@roomkeeper/region-protocol'
import { refuse } from '#refusals.ts'
import type { Report } from '#sandbox/report.ts'
import { withRoomBackup } from './read-room-backup.ts'

export interface BackupToUnpack {
  path: string
  /** The manifest that `readManifest` returned. */
  manifest: BackupManifest
  folder: string
}

const never = new AbortController().signal

export function readManifest({ path }: { path: string }): Promise<BackupManifest> {
  return withRoomBackup(path, async ({ manifest }) => manifest)
}

/** @throws {Refusal} also if the file now holds another backup */
export function unpackBackup({ path, manifest, folder }: BackupToUnpack, report: Report): Promise<void> {
  return withRoomBackup(path, (backup) => {
    if (!isDeepStrictEqual(backup.manifest, manifest)) throw refuse('damaged-file', { reason: 'it is another by now.' })
    return backup.extract(folder, never, report)
  })
}
