/** Findings that others report at once, without a run of the doctor: a missing seal, a bad backup, a wrong time. */
import { randomUUID } from 'node:crypto'
import type { CodedReason } from '@roomkeeper/contract'
import type { MissedAnchor } from '#operators/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import type { Jump } from '#platform/steady-time.ts'
import { findingOfMissed } from './checks/check-audit.ts'
import { type AboutBackup, findingOf } from './checks/check-backups.ts'
import { findingOfJump } from './checks/check-time.ts'
import { recordFinding } from './record-findings.ts'

export async function reportMissedAnchor(tx: Tx, missed: MissedAnchor): Promise<void> {
  await recordFinding(tx, randomUUID(), findingOfMissed(missed))
}

/**
 * What a restore in a test has found out about a backup. The findings are those that a run makes. A run closes the ones
 * about files as soon as the file is whole again; that a backup cannot be restored stays until it was restored in a
 * later test, or is deleted; that indexes are damaged, until a test of it or of a later backup of the room finds none.
 * Says it once, however often it is found. A backup that was deleted meanwhile is left alone.
 */
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
    `update doctor_findings f set closed_at = steady_now() from room_backups sound
      where sound.id = $1 and f.kind = 'indexes-damaged' and f.closed_at is null and f.room_id = sound.room_id
        and f.subject in (select b.id::text from room_backups b
                           where b.room_id = sound.room_id and b.created_at <= sound.created_at)`,
    [backupId],
  )
}

export async function closeFindingsOfBackup(tx: Tx, backupId: string): Promise<void> {
  await queryRows(
    tx,
    `update doctor_findings set closed_at = steady_now()
      where kind in ('backup-missing', 'backup-altered') and subject = $1 and closed_at is null`,
    [backupId],
  )
}

export async function reportJump(db: Db, jump: Jump): Promise<void> {
  await recordFinding(db, randomUUID(), findingOfJump(jump))
}

export async function closeJump(db: Db): Promise<void> {
  await queryRows(
    db,
    `update doctor_findings set closed_at = steady_now() where kind = 'time-jumped' and closed_at is null`,
  )
}

/** @param until the time up to which the policy was said to be scheduled */
export async function reportPolicyAhead(tx: Tx, { name, until }: { name: string; until: string }): Promise<void> {
  const facts = { policy: name, until }
  await recordFinding(tx, randomUUID(), { kind: 'time-ahead', section: 'time', subject: name, facts })
}
