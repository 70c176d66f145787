/** The calls about backup policies. */
import { randomUUID } from 'node:crypto'
import type { BackupPolicy, BackupPolicyDraft } from '@roomkeeper/contract'
import { sql, type UpdateObject } from 'kysely'
import type { ObjectStore } from '#backups/index.ts'
import { changedFields, type FieldChange, recordChange } from '#changes/index.ts'
import type { Database, Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { databaseTime } from '#platform/database-time.ts'
import { type Handlers, noContent, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import type { Tables } from '#platform/tables.ts'
import { isCovered } from './covered-rooms.ts'
import { previewPolicy } from './preview-policy.ts'
import { readRuns } from './read-runs.ts'
import { columnsOf, listPolicies, lockPolicy, presentPolicy, type StoredPolicy } from './stored-policy.ts'

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
        await tx
          .insertInto('backupPolicies')
          .values({ id, ...columnsOf(body), scheduledUntil: sql<string>`now()` })
          .execute()
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
        const columns = { ...columnsOf(body), ...lookedAnew(before, body), ...tidiedAnew(changes) }
        await change(tx, params.id, { ...columns, version: before.version + 1 })
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
        await change(tx, params.id, { deletedAt: sql<string>`now()`, discardUntil: sql<string>`now()` })
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

/** @throws Refusal `invalid-filter`, `object-store-not-set` */
async function checkDraft(database: Database, objectStore: ObjectStore, draft: BackupPolicyDraft): Promise<void> {
  await isCovered(database.db, draft.rooms)
  if (draft.kind === 'd2o') objectStore.configuredLocation('backup.zip')
}

async function change(tx: Tx, id: string, columns: UpdateObject<Tables, 'backupPolicies'>): Promise<void> {
  await tx.updateTable('backupPolicies').set(columns).where('id', '=', id).execute()
}

/**
 * Times of before a change, or of while the policy was off, are neither caught up nor begun any more. What waits for a
 * room that no longer belongs to it is not begun either, when its turn comes.
 */
function lookedAnew(before: StoredPolicy, now: BackupPolicyDraft) {
  if (JSON.stringify(before.schedule) === JSON.stringify(now.schedule) && before.isOn === now.isOn) return {}
  return { discardUntil: sql<string>`now()`, scheduledUntil: sql<string>`now()` }
}

/** From the first room on. */
function tidiedAnew(changes: readonly FieldChange[]) {
  return changes.some(({ field }) => field === 'keep')
    ? { retentionCursor: '00000000-0000-0000-0000-000000000000' }
    : {}
}

async function savingName<T>(database: Database, name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await database.transaction(work)
  } catch (error) {
    throw violatesUnique(error, 'backup_policies_name') ? refuse('backup-policy-name-taken', { name }) : error
  }
}
