/**
 * Before a copy of a room is deleted from a region, the room itself must be found in another one. After a restored dump
 * or a failover the console's database may be out of date, so the answers of the regions decide. A region that should
 * have the room and answers that it does not, or not with what was moved there, raises an alarm: the room stays in the
 * state ERROR until an operation has found it there again.
 */
import { because, type Reasons } from '@roomkeeper/contract'
import type { RoomInfo } from '@roomkeeper/region-protocol'
import type { CausingOperation } from '#changes/index.ts'
import { NotYet, type StepCall, StepFailed } from '#operations/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { changeState, type RoomErrorCode } from '#rooms/index.ts'

/** A copy that is to be removed. */
export interface Copy {
  roomId: string
  name: string
  regionId: number
}

type HomeCall = Pick<StepCall<unknown>, 'id' | 'signal' | 'services'>

export interface Home {
  regionId: number
  /** The region's name. */
  name: string
  /** The room's stored state. */
  state: string
  /** Whether the room is in the state ERROR because of the alarm below. */
  isLost: boolean
}

export type HomeCheck =
  /** The region where the console has the room has it. */
  | { is: 'seen'; home: Home; info: RoomInfo }
  | { is: 'missing'; home: Home }
  /** According to the console, the copy is the room itself. */
  | { is: 'in use' }
  /** The audit trail says that the room was deleted. */
  | { is: 'deleted' }
  /** The console does not have the room, and the audit trail has no deletion of it. */
  | { is: 'unknown' }

export async function checkHome(call: HomeCall, { roomId, name, regionId }: Copy): Promise<HomeCheck> {
  const { db, connectRegion } = call.services
  const home = await findHome(db, roomId)
  if (home === null) return { is: (await wasDeleted(db, roomId)) ? 'deleted' : 'unknown' }
  if (home.regionId === regionId) return { is: 'in use' }
  const info = await (await connectRegion(home.regionId, call.signal)).room(name)
  if (info?.roomId === roomId) return { is: 'seen', home, info }
  // The room may have moved on since the console's record was read.
  const now = await findHome(db, roomId)
  if (now?.regionId !== home.regionId || now.state === 'MARKED_FOR_DELETION')
    throw new NotYet(because('room-moving', { room: name }))
  return { is: 'missing', home }
}

/** The code of the failure that raises the alarm: the region that should have the room does not have it. */
export const lost = 'lost' satisfies RoomErrorCode

/** The error code that a room gets after a failure with this code. */
export function errorCodeOf(failureCode: string | null): RoomErrorCode | null {
  return failureCode === lost ? lost : null
}

/**
 * @returns the room where it is in use; null when it was deleted
 * @throws StepFailed when the copy may be the only one; with the code `lost` when the room's region does not have it
 */
export async function requireHome(call: HomeCall, copy: Copy): Promise<{ home: Home; info: RoomInfo } | null> {
  const check = await checkHome(call, copy)
  switch (check.is) {
    case 'seen':
      return check
    case 'deleted':
      return null
    case 'in use':
      throw new StepFailed(because('room-back-in-use'))
    case 'unknown':
      throw new StepFailed(because('room-unknown-copy-kept'))
    case 'missing':
      throw await roomIsLost(call, copy, check.home)
  }
}

/** Raises the alarm in the server's log and returns it as a failure. */
export function roomIsLost(call: HomeCall, copy: Copy, home: Pick<Home, 'name'>): Promise<StepFailed> {
  return alarm(call, copy, home, {
    logged: 'a region does not have the room that was moved to it',
    code: 'room-lost',
  })
}

/** The same alarm for a region that has the room, but not with the content that the move proved. */
export function roomIsOlder(call: HomeCall, copy: Copy, home: Pick<Home, 'name'>): Promise<StepFailed> {
  return alarm(call, copy, home, {
    logged: 'a region does not hold what was moved to it',
    code: 'room-older',
  })
}

async function alarm(
  { id: operationId, services }: HomeCall,
  { roomId, name: room, regionId }: Copy,
  { name: region }: Pick<Home, 'name'>,
  { logged, code }: { logged: string; code: 'room-lost' | 'room-older' },
): Promise<StepFailed> {
  const copyIn = await nameOfRegion(services.db, regionId)
  services.log.error({ operationId, room, roomId, region, copyIn }, logged)
  return new StepFailed(because(code, { region, copyIn }), lost)
}

/**
 * Sets the room to ERROR after the failure `lost`. Other failures of operations that do not make it busy leave it
 * alone.
 */
export async function raiseAlarm(
  tx: Tx,
  { roomId, reasons: error, failureCode }: { roomId: string; reasons: Reasons; failureCode: string | null },
  by: CausingOperation,
): Promise<void> {
  if (failureCode !== lost) return
  const change = { from: ['DEFAULT', 'SUSPENDED'], to: 'ERROR', error, errorCode: lost } as const
  await changeState(tx, roomId, change, { kind: 'room.corrected', operation: by })
}

/** For a room that was found in its region. @param state the room's state there */
export async function endAlarm(
  tx: Tx,
  { roomId, state }: { roomId: string; state: string | null },
  by: CausingOperation,
): Promise<void> {
  const alarmed = await queryRows(tx, `select from rooms where id = $1 and state = 'ERROR' and error_code = $2`, [
    roomId,
    lost,
  ])
  if (alarmed.length === 0) return
  const to = state === 'suspended' ? 'SUSPENDED' : 'DEFAULT'
  await changeState(tx, roomId, { from: ['ERROR'], to }, { kind: 'room.corrected', operation: by })
}

export async function nameOfRegion(db: Db | Tx, id: number): Promise<string> {
  const [region] = await queryRows<{ name: string }>(db, nameById, [id])
  return region?.name ?? `with the id ${id}`
}

const nameById = 'select name from regions where id = $1'

async function findHome(db: Db, roomId: string): Promise<Home | null> {
  const [home] = await queryRows<Home>(db, homeOfRoom, [roomId, lost])
  return home ?? null
}

const homeOfRoom = `select region.id as region_id, region.name, room.state,
            room.state = 'ERROR' and room.error_code is not distinct from $2 as is_lost
       from rooms room join regions region on region.id = room.region_id where room.id = $1`

/** Removing a region takes its rooms out of the console too, but those rooms still exist. */
async function wasDeleted(db: Db, roomId: string): Promise<boolean> {
  const [gone] = await queryRows<{ deleted: boolean }>(
    db,
    `select bool_or(action = 'room.delete') and not bool_or(action = 'room.remove-with-region') as deleted
       from audit where room_id = $1`,
    [roomId],
  )
  return gone?.deleted === true
}
