/** A sandbox task: unpacks the files of a large room's backup, or of a product's. */
import { isDeepStrictEqual } from 'node:util'
import type { BackupManifest } from '@roomkeeper/region-protocol'
import { refuse } from '#refusals.ts'
import type { Report } from '#sandbox/report.ts'
import { withRoomBackup } from './read-room-backup.ts'

export interface BackupToUnpack {
  path: string
  /** The manifest that `openBackup` returned. */
  manifest: BackupManifest
  folder: string
}

/** @throws {Refusal} also if the file now holds another backup */
export function unpackBackup({ path, manifest, folder }: BackupToUnpack, report: Report): Promise<void> {
  return withRoomBackup(path, (backup) => {
    if (!isDeepStrictEqual(backup.manifest, manifest)) throw refuse('damaged-file', { reason: 'it is another by now.' })
    return backup.extract(folder, report)
  })
}
