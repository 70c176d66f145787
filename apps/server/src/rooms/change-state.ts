/** A room's stored state changes only by compare-and-set, and every change is announced to the consoles. */
import type { Reasons } from '@roomkeeper/contract'
import { queryRows, type Tx } from '#platform/database.ts'
import { announce } from '#platform/events.ts'
import { prepared } from '#platform/prepared-statements.ts'
import { storedReasons } from '#platform/stored-reasons.ts'
import { enqueueRoomWebhook } from '#room-events/index.ts'
import type { RoomErrorCode, RoomsTable } from './tables.ts'

type State = RoomsTable['state']

interface StateChange {
  from: readonly State[]
  to: State
  error?: Reasons | null
  errorCode?: RoomErrorCode | null
}

/** @returns the room's name, or null if the room is gone or no longer in one of the `from` states */
export async function changeState(tx: Tx, roomId: string | null, change: StateChange): Promise<string | null> {
  if (roomId === null) return null
  const error = change.error ? storedReasons(change.error) : null
  const [row] = await queryRows<{ name: string }>(tx, changeToState, [
    roomId,
    change.from,
    change.to,
    error?.text ?? null,
    error?.codes ?? null,
    change.errorCode ?? null,
  ])
  return row?.name ?? null
}

const changeToState = prepared(
  `with changed as (
       update rooms set state = $3::room_state, error_message = $4, error_reasons = $5::jsonb, error_code = $6, version = version + 1
        where id = $1 and state = any($2::room_state[]) returning name
     ), announced as (
       insert into events (payload) select jsonb_build_object('type', 'room', 'room', name, 'gone', false) from changed
     )
     select name from changed`,
)

/** As `changeState`, for changes that no operation brings about whose own event tells of them. */
export async function changeStateAndTell(
  tx: Tx,
  roomId: string | null,
  change: StateChange,
  by: { id: string; kind: string } | null,
): Promise<string | null> {
  const before = await tx
    .selectFrom('rooms')
    .select('state')
    .where('id', '=', roomId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const name = await changeState(tx, roomId, change)
  const changes = [{ field: 'state', from: before?.state, to: change.to }]
  if (name !== null) await enqueueRoomWebhook(tx, 'room.changed', roomId, by, { changes })
  return name
}

export async function removeRoom(tx: Tx, roomId: string | null): Promise<void> {
  if (roomId === null) return
  const row = await tx.deleteFrom('rooms').where('id', '=', roomId).returning('name').executeTakeFirst()
  if (row !== undefined) await announce(tx, { type: 'room', room: row.name, gone: true })
}
