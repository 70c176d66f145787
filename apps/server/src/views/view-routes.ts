import { randomUUID } from 'node:crypto'
import type { View } from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import { changedFields, recordChange } from '#changes/index.ts'
import { lockUntilCommit } from '#platform/advisory-locks.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
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
    views: async ({ caller }) => {
      const rows = await queryRows<Row>(database.db, `${visibleViews} order by v.name, v.id`, [caller.operatorId])
      return ok(rows.map(presentFor(caller)))
    },
    async createView({ body, caller, requestId }) {
      const made = await uniqueName(body.name, () =>
        database.transaction(async (tx) => {
          await checkPlaces(tx, caller)
          if (body.isShared) await checkSharedPlaces(tx)
          const id = randomUUID()
          await queryRows(
            tx,
            'insert into views (id, operator_id, name, is_shared, query, columns) values ($1, $2, $3, $4, $5, $6)',
            [id, caller.operatorId, body.name, body.isShared, body.query, body.columns],
          )
          const row = await lockView(tx, id, caller)
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
          if (body.isShared === true && !before.isShared) await checkSharedPlaces(tx)
          await queryRows(
            tx,
            `update views
                set name = coalesce($2, name), is_shared = coalesce($3, is_shared), query = coalesce($4, query),
                    columns = coalesce($5, columns)
              where id = $1`,
            [before.id, body.name, body.isShared, body.query, body.columns],
          )
          const row = await lockView(tx, before.id, caller)
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
        await queryRows(tx, 'delete from views where id = $1', [before.id])
        const changes = changesOf(before, null)
        await recordChange(tx, { actor: caller.actor, kind: 'view.delete', detail: before.name, changes, requestId })
      })
      return noContent
    },
  }
}

interface Row extends Omit<View, 'isOwn'> {
  operatorId: string
}

/** The views that an operator sees: the own ones, and those that others share. */
const visibleViews = `
  select v.id, v.operator_id, v.name, v.is_shared, v.query, v.columns, o.name as owner
    from views v join operators o on o.id = v.operator_id
   where (v.operator_id = $1 or v.is_shared)`

const presentFor =
  (caller: Caller) =>
  ({ operatorId, ...row }: Row): View => ({ ...row, isOwn: operatorId === caller.operatorId })

/** Of search, filters and columns only that they changed: the audit trail is for others, a view may be for its owner. */
function changesOf(before: Row | null, after: Row | null) {
  return changedFields(fields, before, after).map((change) =>
    change.field === 'query' || change.field === 'columns' ? { field: change.field, from: null, to: null } : change,
  )
}

/** Locks it until the transaction ends. @throws Refusal `view-unknown`, for views of others that are not shared, too */
async function lockView(tx: Tx, id: string, { operatorId }: Caller): Promise<Row> {
  const [row] = await queryRows<Row>(tx, `${visibleViews} and v.id = $2 for update of v`, [operatorId, id])
  if (row === undefined) throw refuse('view-unknown')
  return row
}

/** Locks the account, so that two calls at once do not both take the last place. @throws Refusal `too-many-views` */
async function checkPlaces(tx: Tx, { operatorId }: Caller): Promise<void> {
  await queryRows(tx, 'select from operators where id = $1 for update', [operatorId])
  const [{ kept } = { kept: 0 }] = await queryRows<{ kept: number }>(
    tx,
    'select count(*)::int as kept from views where operator_id = $1',
    [operatorId],
  )
  if (kept >= mostViews) throw refuse('too-many-views', { max: mostViews })
}

/** Holds a lock, so that two calls at once do not both take the last place. @throws Refusal `too-many-shared-views` */
async function checkSharedPlaces(tx: Tx): Promise<void> {
  await lockUntilCommit(tx, 'shared views')
  const [{ shared } = { shared: 0 }] = await queryRows<{ shared: number }>(
    tx,
    'select count(*)::int as shared from views where is_shared',
  )
  if (shared >= mostShared) throw refuse('too-many-shared-views', { max: mostShared })
}

async function uniqueName<T>(name: string, change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    throw violatesUnique(error, 'views_name') ? refuse('view-name-taken', { name }) : error
  }
}
