/** The calls about backup policies. */
import { randomUUID } from 'node:crypto'
import type { BackupPolicy, BackupPolicyDraft } from '@roomkeeper/contract'
import { sql } from 'kysely'
import type { ObjectStore } from '#backups/index.ts'
import { type AuditChange, recordAudit } from '#operators/index.ts'
import type { Database, Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { announce } from '#platform/events.ts'
import { type Handlers, noContent, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { isCovered } from './covered-rooms.ts'
import { previewPolicy } from './preview-policy.ts'
import { readRuns } from './read-runs.ts'
import { columnsOf, listPolicies, lockPolicy, presentPolicy, type StoredPolicy } from './stored-policy.ts'

type PolicyHandlers = Pick<
  Handlers,
  'backupPolicies' | 'createBackupPolicy' | 'changeBackupPolicy' | 'deleteBackupPolicy' | 'previewBackupPolicy'
>

export function backupPolicyHandlers(database: Database, objectStore: ObjectStore): PolicyHandlers {
  return {
    backupPolicies: async () => ok(await presentAll(database)),
    async createBackupPolicy({ body, caller, requestId }) {
      await checkDraft(database, objectStore, body)
      const made = await savingName(database, body.name, async (tx) => {
        const id = randomUUID()
        const lookedUntil = new Date().toISOString()
        await tx
          .insertInto('backupPolicies')
          .values({ id, ...columnsOf(body), lookedUntil })
          .execute()
        const changes = changesOf(null, body)
        await recordAudit(tx, {
          actor: caller.email,
          action: 'backup-policy.create',
          detail: body.name,
          changes,
          requestId,
        })
        await announce(tx, { type: 'backup-policy', id })
        return lockPolicy(tx, id)
      })
      return ok(presentPolicy(made, new Map()))
    },
    async changeBackupPolicy({ params, body, caller, requestId }) {
      await checkDraft(database, objectStore, body)
      const changed = await savingName(database, body.name, async (tx) => {
        const before = await lockPolicy(tx, params.id)
        if (typeof body.version === 'number' && body.version !== before.version) throw refuse('backup-policy-stale')
        const changes = changesOf(before, body)
        if (changes.length === 0) return before
        await tx
          .updateTable('backupPolicies')
          .set({ ...columnsOf(body), version: before.version + 1, ...lookedAnew(before, body) })
          .where('id', '=', params.id)
          .execute()
        if (changes.some(({ field }) => field === 'keep')) await tidyAnew(tx, params.id)
        await forgetWaiting(database, tx, before, body)
        await recordAudit(tx, {
          actor: caller.email,
          action: 'backup-policy.edit',
          detail: before.name,
          changes,
          requestId,
        })
        await announce(tx, { type: 'backup-policy', id: params.id })
        return lockPolicy(tx, params.id)
      })
      return ok(presentPolicy(changed, await readRuns(database.db, params.id)))
    },
    async deleteBackupPolicy({ params, caller, requestId }) {
      await database.transaction(async (tx) => {
        const { name } = await lockPolicy(tx, params.id)
        await tx.deleteFrom('backupPolicies').where('id', '=', params.id).execute()
        await recordAudit(tx, { actor: caller.email, action: 'backup-policy.delete', detail: name, requestId })
        await announce(tx, { type: 'backup-policy', id: params.id })
      })
      return noContent
    },
    previewBackupPolicy: async ({ body }) => ok(await previewPolicy(database, body, new Date())),
  }
}

async function presentAll({ db }: Database): Promise<BackupPolicy[]> {
  const runs = await readRuns(db)
  return (await listPolicies(db)).map((each) => presentPolicy(each, runs))
}

/** @throws Refusal `invalid-filter`, `object-store-not-set` */
async function checkDraft(database: Database, objectStore: ObjectStore, draft: BackupPolicyDraft): Promise<void> {
  await isCovered(database, draft.rooms)
  if (draft.kind === 'd2o') objectStore.configuredLocation('backup.zip')
}

/** Times of before a change, or of while the policy was off, are not caught up. */
function lookedAnew(before: StoredPolicy, now: BackupPolicyDraft) {
  return isSameRhythm(before, now) ? {} : { lookedUntil: new Date().toISOString() }
}

function isSameRhythm(before: StoredPolicy, now: BackupPolicyDraft): boolean {
  return JSON.stringify(before.schedule) === JSON.stringify(now.schedule) && before.isOn === now.isOn
}

/** What waits of before is not begun any more; with the same times, only where the rooms are others now. */
async function forgetWaiting(database: Database, tx: Tx, { id, ...before }: StoredPolicy, now: BackupPolicyDraft) {
  const isKept = isSameRhythm({ id, ...before }, now) ? await isCovered(database, now.rooms) : sql`false`
  await sql`
    delete from scheduled_backups
     where policy_id = ${id} and state = 'waiting'
       and not exists (select from rooms where rooms.id = room_id and ${isKept})`.execute(tx)
}

async function tidyAnew(tx: Tx, id: string): Promise<void> {
  await sql`update scheduled_backups set is_tidied = false where policy_id = ${id} and state = 'done'`.execute(tx)
}

async function savingName<T>(database: Database, name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await database.transaction(work)
  } catch (error) {
    throw violatesUnique(error, 'backup_policies_name') ? refuse('backup-policy-name-taken', { name }) : error
  }
}

const fields = ['name', 'isOn', 'rooms', 'kind', 'schedule', 'keep', 'verifyEvery'] as const

function changesOf(old: BackupPolicyDraft | null, now: BackupPolicyDraft): AuditChange[] {
  return fields
    .map((field) => ({ field, from: old?.[field] ?? null, to: now[field] }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
}
