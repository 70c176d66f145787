/** Records that an operation has failed, once its end is written. */
import { englishReasons, type ProcessType, type ProjectRoomState, type Reasons } from '@roomkeeper/contract'
import { recordChange, type ToldEvent } from '#changes/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { databaseIsUnreachable, wasDeadlocked } from '#platform/database-errors.ts'
import type { Log } from '#platform/log.ts'
import { withinSavepoint } from '#platform/savepoint.ts'
import { shownReasons } from '#platform/stored-reasons.ts'

interface Failed {
  id: string
  kind: string
  process: ProcessType | null
  attempt: number
  parentId: string | null
  roomId: string | null
  /** Also of an operation that does not keep its room busy, such as a purge. */
  aboutRoomId: string | null
  roomName: string
  state: ProjectRoomState | null
  region: string | null
}

/**
 * What fails here for good, by a bug or a damaged table, must not leave the operation open for ever, nor give it another
 * end: then this event is lost, and the log says so. @throws what the whole transaction is to be tried again for
 */
export async function recordFailure(tx: Tx, log: Log, operationId: string, why: Reasons | null): Promise<void> {
  try {
    const events = () => eventsOf(tx, operationId, why)
    await withinSavepoint(tx, () => recordChange(tx, { kind: 'operation.failed', events }))
  } catch (error) {
    if (databaseIsUnreachable(error) || wasDeadlocked(error)) throw error
    log.error({ operationId, err: error }, 'webhooks could not be told that an operation has failed')
  }
}

/** The room need not be locked: until this is committed, no other operation of it begins. */
async function eventsOf(tx: Tx, operationId: string, why: Reasons | null): Promise<ToldEvent<'operation.failed'>[]> {
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
