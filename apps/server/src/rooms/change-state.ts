/** A room's stored state changes only by compare-and-set, and every change is recorded as what it means. */
import type { Reasons } from '@roomkeeper/contract'
import { type Change, recordChange } from '#changes/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { storedReasons } from '#platform/stored-reasons.ts'
import type { RoomErrorCode, RoomState } from './stored-room.ts'

interface StateChange {
  from: readonly RoomState[]
  to: RoomState
  error?: Reasons | null
  errorCode?: RoomErrorCode | null
}

/** What an operator asks for with an existing room. */
export type RoomRequestKind =
  | `room.${'suspend' | 'resume' | 'delete' | 'backup' | 'backup-d2o' | 'restore' | 'restore-d2o'}`
  | `room.${'update-system-database' | 'notify'}`
  | `database.${'import' | 'delete' | 'backup' | 'restore'}`
type KindOfState =
  | RoomRequestKind
  | `room.${'work-began' | 'work-ended' | 'created' | 'suspended' | 'resumed' | 'corrected'}`

/** A change as it is to be recorded; the room and its states are added here. */
type WithoutRoom<Each> = Each extends unknown ? Omit<Each, 'room' | 'changes'> : never

/** @returns the room's name, or null if the room is gone or no longer in one of the `from` states */
export async function changeState(
  tx: Tx,
  roomId: string | null,
  change: StateChange,
  meaning: WithoutRoom<Change<KindOfState>>,
): Promise<string | null> {
  if (roomId === null) return null
  const error = change.error ? storedReasons(change.error) : null
  const [changed] = await queryRows<{ name: string; was: RoomState }>(tx, changeToState, [
    roomId,
    change.from,
    change.to,
    error?.text ?? null,
    error?.codes ?? null,
    change.errorCode ?? null,
  ])
  if (changed === undefined) return null
  const { name, was } = changed
  const room = { id: roomId, name }
  if (meaning.kind !== 'room.corrected') await recordChange(tx, { ...meaning, room })
  else await recordChange(tx, { ...meaning, room, changes: [{ field: 'state', from: was, to: change.to }] })
  return name
}

const changeToState = `with before as (
       select id, state from rooms where id = $1 and state = any($2::room_state[]) for no key update
     )
     update rooms set state = $3::room_state, error_message = $4, error_reasons = $5::jsonb, error_code = $6,
            version = version + 1
       from before where rooms.id = before.id returning rooms.name, before.state as was`

/** @param meaning `room.not-created`: its creation is taken back */
export async function removeRoom(
  tx: Tx,
  roomId: string | null,
  meaning: WithoutRoom<Change<'room.deleted' | 'room.not-created'>>,
): Promise<void> {
  if (roomId === null) return
  const [room] = await queryRows<{ id: string; name: string }>(
    tx,
    'select id, name from rooms where id = $1 for update',
    [roomId],
  )
  if (room === undefined) return
  await recordChange(tx, { ...meaning, room })
  await queryRows(tx, 'delete from rooms where id = $1', [roomId])
}
