/** Reads policies. What JSON columns hold is on the wire's form, which a later release reads, too. */
import {
  type BackupPolicy,
  type BackupPolicyRuns,
  backupPolicyDraft,
  backupPolicyRooms,
  backupRetention,
  backupSchedule,
} from '@roomkeeper/contract'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import type { BackupPoliciesTable } from './tables.ts'

type Row = Selectable<BackupPoliciesTable>
export interface StoredPolicy extends Omit<BackupPolicy, 'runs'> {
  scheduledUntil: string | null
  discardUntil: string | null
  deletedAt: string | null
}

export async function listPolicies(db: Db | Tx): Promise<StoredPolicy[]> {
  const rows = await db
    .selectFrom('backupPolicies')
    .selectAll()
    .where('deletedAt', 'is', null)
    .orderBy('name')
    .execute()
  return rows.map(read)
}

/** Locks it until the transaction ends. Null if it was deleted. */
export async function lockStoredPolicy(tx: Tx, id: string): Promise<StoredPolicy | null> {
  const row = await tx
    .selectFrom('backupPolicies')
    .selectAll()
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row === undefined ? null : read(row)
}

/** Locks it until the transaction ends. @throws Refusal `backup-policy-unknown` */
export async function lockPolicy(tx: Tx, id: string): Promise<StoredPolicy> {
  const policy = await lockStoredPolicy(tx, id)
  if (policy === null) throw refuse('backup-policy-unknown')
  return policy
}

/** Before the rows of the schedule, and in this order, as everybody does who needs both. */
export async function lockAllPolicies(tx: Tx): Promise<void> {
  await queryRows(tx, 'select from backup_policies order by name, id for no key update')
}

/** Those for which a backup of the room waits, also deleted ones. Nobody changes them until the transaction ends. */
export async function policiesThatWait(tx: Tx, roomId: string): Promise<StoredPolicy[]> {
  const waiting = tx
    .selectFrom('scheduledBackups')
    .select('policyId')
    .where('roomId', '=', roomId)
    .where('state', '=', 'waiting')
  const rows = await tx
    .selectFrom('backupPolicies')
    .selectAll()
    .where('id', 'in', waiting)
    .orderBy('name')
    .orderBy('id')
    .forShare()
    .execute()
  return rows.map(read)
}

export function presentPolicy(
  { scheduledUntil: _, discardUntil: __, deletedAt: ___, ...policy }: StoredPolicy,
  runs: ReadonlyMap<string, BackupPolicyRuns>,
): BackupPolicy {
  return { ...policy, runs: runs.get(policy.id) ?? { lastAt: null, done: 0, missed: 0, failed: 0 } }
}

function read(row: Row): StoredPolicy {
  const { id, name, isOn, kind, verifyEvery, version, scheduledUntil, discardUntil, deletedAt } = row
  const rooms = z.decode(backupPolicyRooms, row.rooms as z.input<typeof backupPolicyRooms>)
  const schedule = backupSchedule.parse(row.schedule)
  const keep = backupRetention.parse(row.keep)
  return { id, name, isOn, rooms, kind, schedule, keep, verifyEvery, version, scheduledUntil, discardUntil, deletedAt }
}

/** The columns that hold a draft. */
export function columnsOf(draft: z.output<typeof backupPolicyDraft>) {
  const wire = z.encode(backupPolicyDraft, draft)
  const { name, isOn, kind, verifyEvery } = draft
  const json = {
    rooms: JSON.stringify(wire.rooms),
    schedule: JSON.stringify(wire.schedule),
    keep: JSON.stringify(wire.keep),
  }
  return { name, isOn, kind, verifyEvery, ...json }
}
