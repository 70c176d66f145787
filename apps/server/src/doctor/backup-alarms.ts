/**
 * What a restore in a test has found out about a backup. The findings are those that a run makes. A run closes the ones
 * about files as soon as the file is whole again; that a backup cannot be restored stays until it was restored in a
 * later test, or is deleted.
 */
import type { CodedReason } from '@roomkeeper/contract'
import { queryRows, type Tx } from '#platform/database.ts'
import { type AboutBackup, findingOf } from './checks/check-backups.ts'
import { recordFinding } from './record-findings.ts'

/** Says it once, however often it is found. A backup that was deleted meanwhile is left alone. */
export async function reportBadBackup(
  tx: Tx,
  operationId: string,
  backup: AboutBackup,
  what: CodedReason,
): Promise<void> {
  const recorded = await queryRows(tx, 'select from room_backups where id = $1 for key share', [backup.id])
  if (recorded.length > 0) await recordFinding(tx, operationId, findingOf(backup, what))
}

export async function closeFindingsOfBackup(tx: Tx, backupId: string): Promise<void> {
  await queryRows(
    tx,
    `update doctor_findings set closed_at = now()
      where kind in ('backup-missing', 'backup-altered') and subject = $1 and closed_at is null`,
    [backupId],
  )
}
