/**
 * Ends operations. One statement writes the end and frees what the operation holds: its claim, its slots, and the
 * capacity that it has reserved. So nothing stays taken by an operation that has ended.
 */
import { because, englishReasons, type ProcessType, type ProjectRoomState, type Reasons } from '@roomkeeper/contract'
import { type OutgoingEvent, recordChange, recordedFor } from '#changes/index.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { databaseIsUnreachable, wasDeadlocked } from '#platform/database-errors.ts'
import type { Log } from '#platform/log.ts'
import { withinSavepoint } from '#platform/savepoint.ts'
import { shownReasons, storedReasons } from '#platform/stored-reasons.ts'
import { Overtaken } from './failures.ts'
import type { Claim } from './operation-record.ts'

export interface OperationEnd {
  state: 'done' | 'failed' | 'cancelled'
  /** Why it failed; null if it did not. */
  reasons: Reasons | null
  /** All that it has done was undone. Default: false. */
  isAsBefore?: boolean
}

/**
 * Ends an operation that this worker has claimed, with `settle` in the same transaction.
 * @returns false when it had already ended
 * @throws Overtaken
 */
export function endOperation(
  { database, log }: { database: Database; log: Log },
  { operationId, fence }: Claim,
  end: OperationEnd,
  settle: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const ended = await endAll(tx, [operationId], fence, end)
    if (ended.length === 0) {
      if (await hasEnded(tx, operationId)) return false
      throw new Overtaken()
    }
    await settle(tx)
    if (end.state !== 'failed') return true
    const reasons = end.isAsBefore === true ? await addStateOfRoom(tx, operationId, end.reasons ?? []) : end.reasons
    await recordFailure(tx, log, operationId, reasons)
    return true
  })
}

/** Says at the end of an operation that was undone what has become of its room. @returns all reasons */
async function addStateOfRoom(tx: Tx, operationId: string, reasons: Reasons): Promise<Reasons> {
  const [room] = await queryRows<{ state: string }>(
    tx,
    // Where a region did not say how its work ended, nothing is promised.
    `select rooms.state::text as state from operations o join rooms on rooms.id = o.room_id
      where o.id = $1 and not exists (
        select from operation_log l where l.operation_id = o.id and l.reasons @> '[{"code": "log-outcome-unknown"}]')`,
    [operationId],
  )
  const after = room === undefined ? undefined : asBefore[room.state]
  if (after === undefined) return reasons
  const all = [...reasons, because(after)]
  const { text, codes } = storedReasons(all)
  await queryRows(tx, 'update operations set error = $2, error_reasons = $3::jsonb where id = $1', [
    operationId,
    text,
    codes,
  ])
  return all
}

const asBefore: Readonly<Record<string, 'room-active-as-before' | 'room-suspended-as-before'>> = {
  DEFAULT: 'room-active-as-before',
  SUSPENDED: 'room-suspended-as-before',
}

/** Ends operations that have never run, so there is nothing to undo. The caller has locked them. */
export async function endNeverRun(
  tx: Tx,
  operationIds: readonly string[],
  state: OperationEnd['state'],
): Promise<void> {
  await endAll(tx, operationIds, 0, { state, reasons: null })
}

/**
 * Ends the operations that are open and have this fence. A waiting one ends only with the fence 0, if it has never run:
 * after a retry it still has the fence of the former attempt, whose worker must not end it.
 * @returns the ids of the ended operations
 */
async function endAll(
  db: Db,
  operationIds: readonly string[],
  fence: number,
  { state, reasons }: OperationEnd,
): Promise<string[]> {
  const stored = reasons === null ? null : storedReasons(reasons)
  const ended = await queryRows<{ id: string }>(db, endOpen, [
    operationIds,
    fence,
    state,
    stored?.text ?? null,
    stored?.codes ?? null,
  ])
  return ended.map(({ id }) => id)
}

/**
 * Removes the secrets, unless the operation failed: a retry needs them. Notifies the workers if this frees slots while
 * other operations wait for some.
 */
const endOpen = `
  with ended as (
    update operations
       set state = $3, error = $4, error_reasons = $5::jsonb, ended_at = steady_now(), worker_id = null,
           awaits_slots = false, cancel_requested = cancel_requested or $3 = 'cancelled',
           progress = case $3 when 'done' then 1 else progress end,
           step = case $3 when 'done' then null else step end,
           step_id = case $3 when 'done' then null else step_id end,
           input = case $3 when 'failed' then input else input - 'sealed' end
     where id = any($1::uuid[]) and fence = $2
       and (state in ('running', 'cancelling') or state = 'waiting' and fence = 0)
    returning id, room_name
  ), steps as (
    update operation_steps set state = 'failed', ended_at = now()
      from ended where operation_id = ended.id and state = 'running'
  ), slots as (
    delete from operation_slots using ended where operation_id = ended.id returning operation_id
  ), reservations as (
    delete from capacity_reservations using ended where operation_id = ended.id
  ), recorded as (
      ${recordedFor('operation.changed', 'ended')}
  )
  select id, (select pg_notify('roomkeeper_work', 'operation_slots')
               where exists (select from slots)
                 and exists (select from operation_slots where not held and operation_id not in (select id from ended)))
    from ended`

/** @returns true also if the operation no longer exists */
async function hasEnded(tx: Tx, operationId: string): Promise<boolean> {
  const open = `select from operations where id = $1 and state in ('waiting', 'running', 'cancelling')`
  return (await queryRows(tx, open, [operationId])).length === 0
}

interface Failed {
  id: string
  kind: string
  process: ProcessType | null
  attempt: number
  parentId: string | null
  roomId: string | null
  /** Set also if the operation does not keep the room busy, such as a purge. */
  aboutRoomId: string | null
  roomName: string
  state: ProjectRoomState | null
  region: string | null
}

/**
 * Records that an operation has failed, after its end was written. A permanent error here, such as a bug, must neither
 * keep the operation open nor change its end: the event is lost, and the log says so.
 * @throws errors after which the whole transaction is tried again
 */
async function recordFailure(tx: Tx, log: Log, operationId: string, why: Reasons | null): Promise<void> {
  try {
    const events = () => eventsOfFailure(tx, operationId, why)
    await withinSavepoint(tx, () => recordChange(tx, { kind: 'operation.failed', events }))
  } catch (error) {
    if (databaseIsUnreachable(error) || wasDeadlocked(error)) throw error
    log.error({ operationId, err: error }, 'webhooks could not be told that an operation has failed')
  }
}

/** The room need not be locked: no other operation of it can begin before this transaction commits. */
async function eventsOfFailure(
  tx: Tx,
  operationId: string,
  why: Reasons | null,
): Promise<OutgoingEvent<'operation.failed'>[]> {
  const [failed] = await queryRows<Failed>(
    tx,
    `select o.id, o.kind, o.process_type as process, o.attempt, o.parent_id, o.room_id, o.room_name, rooms.state,
            region.name as region,
            coalesce(o.room_id, case when o.input ->> 'roomId' ~ '^[0-9a-f-]{36}$' then (o.input ->> 'roomId')::uuid end)
              as about_room_id
       from operations o left join rooms on rooms.id = o.room_id left join regions region on region.id = o.region_id
      where o.id = $1`,
    [operationId],
  )
  if (failed === undefined) return []
  const { roomId, aboutRoomId, roomName, state, region, ...operation } = failed
  const reasons = shownReasons(why ?? [])
  const text = englishReasons(reasons)
  const data = { operation, room: { id: roomId, name: roomName, state }, region, text, reasons }
  const room = { roomId: aboutRoomId, roomName: roomName || null }
  return [{ data, orderingKey: roomId ?? operationId, ...room }]
}
