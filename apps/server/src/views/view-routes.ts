import type { View, ViewChange } from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import { changedFields, recordChange } from '#changes/index.ts'
import { lockUntilCommit } from '#platform/advisory-locks.ts'
import type { Database, Db, Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { type Caller, type Handlers, noContent, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'

type ViewHandlers = Pick<Handlers, 'views' | 'createView' | 'changeView' | 'deleteView'>

const mostViews = 100
/** By all operators together: every operator's list of views has them. */
const mostShared = 200
const fields = ['name', 'isShared', 'query', 'columns'] as const

export function viewHandlers(database: Database): ViewHandlers {
  return {
    views: async ({ caller }) => ok((await visibleTo(database.db, caller).execute()).map(presentFor(caller))),
    async createView({ body, caller, requestId }) {
      const made = await uniqueName(body.name, () =>
        database.transaction(async (tx) => {
          await checkPlaces(tx, caller)
          if (body.isShared) await checkSharedPlaces(tx)
          const { id } = await tx
            .insertInto('views')
            .values({ ...body, columns: JSON.stringify(body.columns), operatorId: caller.operatorId })
            .returning('id')
            .executeTakeFirstOrThrow()
          const row = await visibleTo(tx, caller).where('views.id', '=', id).executeTakeFirstOrThrow()
          const changes = changesOf(null, row)
          await recordChange(tx, { actor: caller.actor, kind: 'view.create', detail: row.name, changes, requestId })
          return row
        }),
      )
      return ok(presentFor(caller)(made))
    },
    async changeView({ params, body, caller, requestId }) {
      const changed = await uniqueName(body.name ?? '', () =>
        database.transaction(async (tx) => {
          const before = await lockView(tx, params.id, caller)
          if (before.operatorId !== caller.operatorId) throw refuse('view-of-another', { owner: before.owner })
          const set = columnsOf(body)
          if (Object.keys(set).length === 0) return before
          if (body.isShared === true && !before.isShared) await checkSharedPlaces(tx)
          await tx.updateTable('views').set(set).where('id', '=', before.id).execute()
          const row = await visibleTo(tx, caller).where('views.id', '=', before.id).executeTakeFirstOrThrow()
          const changes = changesOf(before, row)
          const entry = { actor: caller.actor, kind: 'view.change' as const, detail: row.name, changes, requestId }
          if (changes.length > 0) await recordChange(tx, entry)
          return row
        }),
      )
      return ok(presentFor(caller)(changed))
    },
    async deleteView({ params, caller, requestId }) {
      await database.transaction(async (tx) => {
        const before = await lockView(tx, params.id, caller)
        const mayDelete = before.operatorId === caller.operatorId || roleAllows(caller.role, 'admin')
        if (!mayDelete) throw refuse('view-of-another', { owner: before.owner })
        await tx.deleteFrom('views').where('id', '=', before.id).execute()
        const changes = changesOf(before, null)
        await recordChange(tx, { actor: caller.actor, kind: 'view.delete', detail: before.name, changes, requestId })
      })
      return noContent
    },
  }
}

/** The views that an operator sees: the own ones, and those that others share. By name. */
function visibleTo(db: Db | Tx, { operatorId }: Caller) {
  return db
    .selectFrom('views')
    .innerJoin('operators', 'operators.id', 'views.operatorId')
    .select(['views.id', 'views.operatorId', 'views.name', 'views.isShared', 'views.query', 'views.columns'])
    .select('operators.name as owner')
    .where((where) => where.or([where('views.operatorId', '=', operatorId), where('views.isShared', '=', true)]))
    .orderBy('views.name')
    .orderBy('views.id')
}

type Row = Awaited<ReturnType<ReturnType<typeof visibleTo>['executeTakeFirstOrThrow']>>

const presentFor =
  (caller: Caller) =>
  ({ operatorId, ...row }: Row): View => ({ ...row, isOwn: operatorId === caller.operatorId })

/** Of search, filters and columns only that they changed: the audit trail is for others, a view may be for its owner. */
function changesOf(before: Row | null, after: Row | null) {
  return changedFields(fields, before, after).map((change) =>
    change.field === 'query' || change.field === 'columns' ? { field: change.field, from: null, to: null } : change,
  )
}

/** What is to be stored of a change. */
function columnsOf({ columns, ...rest }: ViewChange) {
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  return { ...(given as Omit<ViewChange, 'columns'>), ...(columns && { columns: JSON.stringify(columns) }) }
}

/** @throws Refusal `view-unknown`, for views of others that are not shared, too */
async function lockView(tx: Tx, id: string, caller: Caller): Promise<Row> {
  const row = await visibleTo(tx, caller).where('views.id', '=', id).forUpdate('views').executeTakeFirst()
  if (row === undefined) throw refuse('view-unknown')
  return row
}

/** Locks the account, so that two calls at once do not both take the last place. @throws Refusal `too-many-views` */
async function checkPlaces(tx: Tx, { operatorId }: Caller): Promise<void> {
  await tx.selectFrom('operators').select('id').where('id', '=', operatorId).forUpdate().execute()
  const { count } = await tx
    .selectFrom('views')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('operatorId', '=', operatorId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= mostViews) throw refuse('too-many-views', { max: mostViews })
}

/** Holds a lock, so that two calls at once do not both take the last place. @throws Refusal `too-many-shared-views` */
async function checkSharedPlaces(tx: Tx): Promise<void> {
  await lockUntilCommit(tx, 'shared views')
  const { count } = await tx
    .selectFrom('views')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('isShared', '=', true)
    .executeTakeFirstOrThrow()
  if (Number(count) >= mostShared) throw refuse('too-many-shared-views', { max: mostShared })
}

async function uniqueName<T>(name: string, change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    throw violatesUnique(error, 'views_name') ? refuse('view-name-taken', { name }) : error
  }
}
