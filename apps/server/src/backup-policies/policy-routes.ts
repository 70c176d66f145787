/** The calls about backup policies. */
import { randomUUID } from 'node:crypto'
import {
  type BackupPolicy,
  type BackupPolicyDraft,
  type BackupPolicyPreview,
  type BackupPolicyRuns,
  backupPolicyDraft,
} from '@roomkeeper/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { ObjectStore } from '#backups/index.ts'
import { changedFields, recordChange } from '#changes/index.ts'
import { type Database, queryBuilt, queryRows, type Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { databaseTime } from '#platform/database-time.ts'
import { type Handlers, noContent, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { isCovered, listPolicies, lockStoredPolicy, type StoredPolicy } from './policy.ts'
import { backupsWhenFull } from './retention.ts'
import { readRuns } from './runs.ts'

type PolicyHandlers = Pick<
  Handlers,
  'backupPolicies' | 'createBackupPolicy' | 'changeBackupPolicy' | 'deleteBackupPolicy' | 'previewBackupPolicy'
>

const fields = ['name', 'isOn', 'rooms', 'kind', 'schedule', 'keep', 'verifyEvery'] as const

export function backupPolicyHandlers(database: Database, objectStore: ObjectStore): PolicyHandlers {
  return {
    backupPolicies: async () => ok(await presentAll(database)),
    async createBackupPolicy({ body, caller, requestId }) {
      await checkDraft(database, objectStore, body)
      const made = await savingName(database, body.name, async (tx) => {
        const id = randomUUID()
        await queryRows(tx, insertPolicy, [id, ...columnsOf(body)])
        const changes = changedFields(fields, null, body)
        await recordChange(tx, {
          actor: caller.actor,
          kind: 'backup-policy.create',
          policyId: id,
          detail: body.name,
          changes,
          requestId,
        })
        return lockPolicy(tx, id)
      })
      return ok(presentPolicy(made, new Map()))
    },
    async changeBackupPolicy({ params, body, caller, requestId }) {
      await checkDraft(database, objectStore, body)
      const changed = await savingName(database, body.name, async (tx) => {
        const before = await lockPolicy(tx, params.id)
        if (typeof body.version === 'number' && body.version !== before.version) throw refuse('backup-policy-stale')
        const changes = changedFields(fields, before, body)
        if (changes.length === 0) return before
        const keepsAnother = changes.some(({ field }) => field === 'keep')
        await queryRows(tx, changePolicy, [params.id, ...columnsOf(body), isScheduledAnew(before, body), keepsAnother])
        await recordChange(tx, {
          actor: caller.actor,
          kind: 'backup-policy.edit',
          policyId: params.id,
          detail: before.name,
          changes,
          requestId,
        })
        return lockPolicy(tx, params.id)
      })
      return ok(presentPolicy(changed, await readRuns(database.db, params.id)))
    },
    async deleteBackupPolicy({ params, caller, requestId }) {
      await database.transaction(async (tx) => {
        const before = await lockPolicy(tx, params.id)
        // It may have millions of rows in scheduled_backups, which housekeeping removes.
        await queryRows(tx, 'update backup_policies set deleted_at = now(), discard_until = now() where id = $1', [
          params.id,
        ])
        const { name: detail } = before
        const by = { actor: caller.actor, requestId }
        await recordChange(tx, { kind: 'backup-policy.delete', ...by, policyId: params.id, detail })
      })
      return noContent
    },
    previewBackupPolicy: async ({ body }) => ok(await previewPolicy(database, body, await databaseTime(database.db))),
  }
}

async function presentAll({ db }: Database): Promise<BackupPolicy[]> {
  const runs = await readRuns(db)
  return (await listPolicies(db)).map((each) => presentPolicy(each, runs))
}

function presentPolicy(
  { scheduledUntil: _, discardUntil: __, deletedAt: ___, ...policy }: StoredPolicy,
  runs: ReadonlyMap<string, BackupPolicyRuns>,
): BackupPolicy {
  return { ...policy, runs: runs.get(policy.id) ?? { lastAt: null, done: 0, missed: 0, failed: 0 } }
}

/** @throws Refusal `invalid-filter`, `object-store-not-set` */
async function checkDraft(database: Database, objectStore: ObjectStore, draft: BackupPolicyDraft): Promise<void> {
  await isCovered(database.db, draft.rooms)
  if (draft.kind === 'd2o') objectStore.configuredLocation('backup.zip')
}

/** Locks it until the transaction ends. @throws Refusal `backup-policy-unknown` */
async function lockPolicy(tx: Tx, id: string): Promise<StoredPolicy> {
  const policy = await lockStoredPolicy(tx, id)
  if (policy === null) throw refuse('backup-policy-unknown')
  return policy
}

/** What both statements take as $2 to $8. */
function columnsOf(draft: z.output<typeof backupPolicyDraft>) {
  const { name, isOn, kind, verifyEvery } = draft
  const { rooms, schedule, keep } = z.encode(backupPolicyDraft, draft)
  return [name, isOn, kind, verifyEvery, JSON.stringify(rooms), JSON.stringify(schedule), JSON.stringify(keep)] as const
}

const insertPolicy = `
  insert into backup_policies (id, name, is_on, kind, verify_every, rooms, schedule, keep, scheduled_until)
  values ($1, $2, $3, $4, $5, $6, $7, $8, now())`

/**
 * If it is scheduled anew ($9), times of before, or of while it was off, are neither caught up nor begun any more. If it
 * keeps other backups ($10), retention looks again at its rooms, from the first one on.
 */
const changePolicy = `
  update backup_policies
     set name = $2, is_on = $3, kind = $4, verify_every = $5, rooms = $6, schedule = $7, keep = $8,
         version = version + 1,
         scheduled_until = case when $9::boolean then now() else scheduled_until end,
         discard_until = case when $9::boolean then now() else discard_until end,
         retention_cursor = case when $10::boolean then '00000000-0000-0000-0000-000000000000' else retention_cursor end
   where id = $1`

/** A change of its rooms does not count: what waits for a room that no longer belongs to it is not begun anyway. */
function isScheduledAnew(before: StoredPolicy, now: BackupPolicyDraft): boolean {
  return JSON.stringify(before.schedule) !== JSON.stringify(now.schedule) || before.isOn !== now.isOn
}

async function savingName<T>(database: Database, name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await database.transaction(work)
  } catch (error) {
    throw violatesUnique(error, 'backup_policies_name') ? refuse('backup-policy-name-taken', { name }) : error
  }
}

type Previewed = Pick<BackupPolicyDraft, 'rooms' | 'kind' | 'schedule' | 'keep'>

/** Enough to tell the average. Ids are random, so the first ones are any. */
const sampledRooms = 2_000

/**
 * How many rooms a policy covers, and how much space it takes when retention is full. Rooms without a backup count as large
 * as the others are on the average.
 * @throws Refusal `invalid-filter`
 */
async function previewPolicy(
  database: Database,
  { rooms, schedule, keep }: Previewed,
  now: Date,
): Promise<BackupPolicyPreview> {
  const rows = await queryBuilt<{ rooms: number; average: number | null }>(
    database.db,
    sql`with covered as materialized (
      select id, last_backup_at > '0001-01-01 00:00:00+00' as has_backup from rooms
       where ${await isCovered(database.db, rooms)}
    )
    select (select count(*) from covered)::int as rooms, avg(newest.size)::float8 as average
      from (select id from covered where has_backup order by id limit ${sampledRooms}) as sampled
     cross join lateral (
        select size from room_backups b where b.room_id = sampled.id order by created_at desc limit 1
      ) as newest`,
  )
  const { rooms: count = 0, average = null } = rows[0] ?? {}
  const backupsPerRoom = backupsWhenFull(schedule, keep, now)
  const bytes = count === 0 ? 0 : average === null ? null : Math.round(count * average * backupsPerRoom)
  return { rooms: count, backupsPerRoom, bytes }
}
