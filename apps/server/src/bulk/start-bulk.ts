/** Starts a bulk: fixes its rooms and starts its operation, in one transaction. */
import { type Bulk, type BulkStart, because, fieldError, type Role, roomsAtMost } from '@roomkeeper/contract'
import { beginningOfTokens, mayTakeInBulk } from '@roomkeeper/rules'
import { sql } from 'kysely'
import { recordChange } from '#changes/index.ts'
import { type OperationsCore, startOnce, startOperation } from '#operations/index.ts'
import { queryBuilt, queryRows, type Tx } from '#platform/database.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import type { StartingCall } from '#rooms/index.ts'
import { actionOf, checkParameters, readAction } from './actions.ts'
import { bulkRun } from './bulk-run.ts'
import { accessNeeded } from './preflight.ts'
import { isSelected, requireSameRooms, type Selected } from './selection.ts'
import { insertBulk } from './stored-bulks.ts'

/** Bulks under way: of all operators together, and of one. */
const mostOpen = 20
const mostOpenOfOne = 5

/**
 * @returns the id of the bulk, which is its operation's
 * @throws Refusal `not-allowed`, `invalid-filter`, `invalid-input`, `region-unknown`, `selection-changed`, `too-many-bulks`
 */
export async function startBulk(core: OperationsCore, body: BulkStart, call: StartingCall): Promise<string> {
  const { caller, requestId } = call
  const { database } = core
  const action = actionOf(body)
  if (!mayTakeInBulk(action.action, caller.role)) throw refuse('not-allowed')
  if (body.expectedTotal > roomsAtMost)
    throw refuseInput([fieldError('selection', 'rooms-too-many', { max: roomsAtMost })])
  const where = await isSelected(database.db, body.selection)
  const request = { caller, route: 'startBulk', key: call.header('idempotency-key'), body }
  return startOnce(database, request, async (tx) => {
    await checkParameters(tx, action)
    const startedBy = caller.actor
    await requireFewOpenBulks(tx, caller.email)
    const subject = body.expectedTotal === 1 ? '1 project room' : `${body.expectedTotal} project rooms`
    const input = { action: action.action }
    const id = await startOperation(tx, bulkRun, { input, room: null, subject, regionId: null, startedBy, requestId })
    const total = await fixRooms(tx, id, where)
    await requireSameRooms(tx, id, total, { total: body.expectedTotal, digest: body.selectionDigest })
    if (total === 0) throw refuseInput([fieldError('selection', 'no-rooms-selected')])
    const access = await accessNeeded(core, tx, areOfBulk(id), action, caller.role)
    await insertBulk(tx, { id, action, total, startedBy, role: caller.role, access })
    const detail = because(`audit-bulk-${action.action}`, { rooms: total })
    await recordChange(tx, { kind: 'bulk.start', actor: startedBy, operationId: id, bulkId: id, detail, requestId })
    return id
  })
}

const areOfBulk = (id: string): Selected =>
  sql`rooms.id in (select room_id from operation_items where parent_id = ${id})`

/** Called when it is retried: the role of who retries it may let it do more. */
export async function raiseAccess(
  core: OperationsCore,
  tx: Tx,
  { id, action, parameters, access }: Bulk,
  role: Role,
): Promise<void> {
  if (access === 'admin') return
  const needed = await accessNeeded(core, tx, areOfBulk(id), readAction(action, parameters), role)
  await queryRows(tx, 'update bulks set access = $2 where id = $1', [id, needed])
}

/** Limits the open bulks, because each has a loop in a worker, and up to 100,000 rows that are kept for 90 days. */
async function requireFewOpenBulks(tx: Tx, email: string): Promise<void> {
  const [open] = await queryRows<{ all: number; own: number }>(
    tx,
    `select count(*)::int as all, (count(*) filter (where bulks.started_by = $1 or starts_with(bulks.started_by, $2)))::int as own
       from bulks join operations using (id) where bulks.ended_at is null and kind = 'bulk.run'`,
    [email, beginningOfTokens(email)],
  )
  if ((open?.all ?? 0) >= mostOpen || (open?.own ?? 0) >= mostOpenOfOne)
    throw refuse('too-many-bulks', { all: mostOpen, own: mostOpenOfOne })
}

/** One statement, so that rooms that match later are left out. The rooms of each region are in order of their names. */
async function fixRooms(tx: Tx, id: string, where: Selected): Promise<number> {
  const rows = await queryBuilt<{ total: number }>(
    tx,
    sql`with fixed as (
      insert into operation_items (parent_id, position, room_id, room_name, region_id)
      select ${id}::uuid, row_number() over (partition by region_id order by name) - 1, id, name, region_id
        from rooms where ${where} limit ${sql.lit(roomsAtMost + 1)}
      returning 1
    )
    select count(*)::int as total from fixed`,
  )
  return rows[0]?.total ?? 0
}
