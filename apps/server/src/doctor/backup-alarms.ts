/**
 * What a restore in a test has found out about a backup. The findings are those that a run makes. A run closes the ones
 * about files as soon as the file is whole again; that a backup cannot be restored stays until it was restored in a
 * later test, or is deleted; that indexes are damaged, until a test of it or of a later backup of the room finds none.
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

/** The backup can be restored all the same. */
export function reportDamagedIndexes(
  tx: Tx,
  operationId: string,
  { id, roomId, room, at }: AboutBackup,
  databases: readonly string[],
): Promise<void> {
  return recordFinding(tx, operationId, {
    kind: 'indexes-damaged',
    section: 'backups',
    subject: id,
    room: { id: roomId, name: room },
    facts: { room, at, databases: databases.join(', ') },
  })
}

/** For a backup without damage: the indexes have been built anew since each older one was made. */
export async function closeDamagedIndexes(tx: Tx, backupId: string): Promise<void> {
  await queryRows(
    tx,
    `update doctor_findings f set closed_at = now() from room_backups sound
      where sound.id = $1 and f.kind = 'indexes-damaged' and f.closed_at is null and f.room_id = sound.room_id
        and f.subject in (select b.id::text from room_backups b
                           where b.room_id = sound.room_id and b.created_at <= sound.created_at)`,
    [backupId],
  )
}

export async function closeFindingsOfBackup(tx: Tx, backupId: string): Promise<void> {
  await queryRows(
    tx,
    `update doctor_findings set closed_at = now()
      where kind in ('backup-missing', 'backup-altered') and subject = $1 and closed_at is null`,
    [backupId],
  )
}
