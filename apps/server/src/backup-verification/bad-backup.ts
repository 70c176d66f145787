/**
 * What shows that a backup is bad: its file is another one, or the region has found that it cannot be restored. It is
 * reported to the doctor, and with that the backup counts as bad at once, before the operation ends.
 */
import { because, type CodedReason } from '@roomkeeper/contract'
import { RegionJobFailed, RegionRefusal, refusalTypePrefix } from '@roomkeeper/region-protocol'
import { digestOfBackup, type RoomBackupRow, sizeOfBackup } from '#backups/index.ts'
import { reportBadBackup } from '#doctor/index.ts'
import { StepFailed } from '#operations/index.ts'
import type { VerificationCall } from './verified-backup.ts'

/** @throws StepFailed if the file is missing, or is longer or shorter than the one that was made */
export async function checkSize(call: VerificationCall, backup: RoomBackupRow): Promise<void> {
  const size = await sizeOfBackup(call.services, backup)
  // A file is removed just before its record. That it is missing all the same is for the doctor to find.
  if (size === null) throw new StepFailed(because('file-missing', { file: backup.location }))
  if (size !== backup.size) await report(call, backup, because('other-size', { found: size, made: backup.size }))
}

/** For what the region did not accept: the store may hold another content, or it was altered on its way. */
export async function failIfAltered(call: VerificationCall, backup: RoomBackupRow, error: unknown): Promise<never> {
  const isOther = error instanceof RegionRefusal && error.type === `${refusalTypePrefix}digest-mismatch`
  if (!isOther) throw error
  const digest = await digestOfBackup(call.services, backup, call.signal)
  if (digest !== null && digest !== backup.sha256) await report(call, backup, because('other-digest'))
  throw error
}

/** Not among them: what takes too long or too much memory, and a backup of a later version than the region. */
const ofBadBackups: ReadonlySet<string> = new Set(
  ['damaged-file', 'wrong-content', 'product-differs', 'reading-fails'].map((type) => refusalTypePrefix + type),
)

export async function failIfNotRestorable(
  call: VerificationCall,
  backup: RoomBackupRow,
  error: unknown,
): Promise<never> {
  if (error instanceof RegionJobFailed && ofBadBackups.has(error.type))
    await report(call, backup, because('not-restorable', { told: error.message }))
  throw error
}

async function report(call: VerificationCall, backup: RoomBackupRow, what: CodedReason): Promise<never> {
  await call.transaction((tx) => reportBadBackup(tx, call.id, aboutBackup(backup), what))
  throw new StepFailed(because('backup-not-whole', { reason: what }))
}

/** What a finding tells about the backup. */
export function aboutBackup({ id, roomId, roomName: room, createdAt: at, location }: RoomBackupRow) {
  return { id, roomId, room, at, location }
}
