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
import type { Db, Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import type { BackupPoliciesTable } from './tables.ts'

type Row = Selectable<BackupPoliciesTable>
export interface StoredPolicy extends Omit<BackupPolicy, 'runs'> {
  lookedUntil: string | null
  createdAt: string
}

export async function listPolicies(db: Db | Tx): Promise<StoredPolicy[]> {
  return (await db.selectFrom('backupPolicies').selectAll().orderBy('name').execute()).map(read)
}

/** Locks it until the transaction ends. @throws Refusal `backup-policy-unknown` */
export async function lockPolicy(tx: Tx, id: string): Promise<StoredPolicy> {
  const row = await tx.selectFrom('backupPolicies').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (row === undefined) throw refuse('backup-policy-unknown')
  return read(row)
}

export function presentPolicy(
  { lookedUntil: _, createdAt: __, ...policy }: StoredPolicy,
  runs: ReadonlyMap<string, BackupPolicyRuns>,
): BackupPolicy {
  return { ...policy, runs: runs.get(policy.id) ?? { lastAt: null, done: 0, missed: 0, failed: 0 } }
}

function read(row: Row): StoredPolicy {
  const { id, name, isOn, kind, verifyEvery, version, lookedUntil, createdAt } = row
  const rooms = z.decode(backupPolicyRooms, row.rooms as z.input<typeof backupPolicyRooms>)
  const schedule = backupSchedule.parse(row.schedule)
  return {
    id,
    name,
    isOn,
    rooms,
    kind,
    schedule,
    keep: backupRetention.parse(row.keep),
    verifyEvery,
    version,
    lookedUntil,
    createdAt,
  }
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
