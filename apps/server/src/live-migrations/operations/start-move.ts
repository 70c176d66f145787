/**
 * Starts the move of a room, or says why not, in one transaction: checks the room, reserves capacity in the target,
 * starts the operation.
 */
import { isMovableState, type MovableState, type NotMoved } from '@roomkeeper/rules'
import { type ItemRoom, roomIsBusy, type StepCall } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { Refusal } from '#platform/refuse.ts'
import { lockCapacity } from '#regions/index.ts'
import { changeState, type StoredRoom } from '#rooms/index.ts'
import { removalsInTarget } from '../removals-in-target.ts'
import { migrateRoom } from './migrate-room.ts'
import type { MoveInput } from './move-call.ts'
import { homeFact, whyNotMoved } from './require-movable.ts'

type Room = Pick<StoredRoom, 'id' | 'name' | 'regionId' | 'state' | 'product'>
type MovableRoom = Room & { state: MovableState }
/** The input of a move, except the room's state before it. */
export type MoveWay = Omit<MoveInput, 'before'>

/**
 * In a transaction of the parent's step: starts the move, or says why the room cannot be moved.
 * @param background see StartParts
 * @throws Refusal `room-busy`
 */
export async function beginMove(
  tx: Tx,
  call: Pick<StepCall<unknown>, 'start'>,
  way: MoveWay,
  waiting: ItemRoom,
  background = false,
): Promise<NotMoved | { operationId: string }> {
  const found = await findMovable(tx, way, waiting)
  if ('outcome' in found) return found
  const { room } = found
  const input = { ...way, before: room.state }
  const operationId = await call.start(tx, migrateRoom, { input, room, regionId: way.sourceRegionId, background })
  await queryRows(tx, 'insert into capacity_reservations (room_id, region_id, operation_id) values ($1, $2, $3)', [
    room.id,
    way.targetRegionId,
    operationId,
  ])
  await changeState(tx, room.id, { from: [room.state], to: 'IN_PROGRESS' }, { kind: 'room.work-began' })
  return { operationId }
}

/** Locks the rows of the room and then of the target region, and reserves capacity in the target. */
async function findMovable(
  tx: Tx,
  way: MoveWay,
  { roomId, roomName }: ItemRoom,
): Promise<NotMoved | { room: MovableRoom }> {
  const [room] = await queryRows<Room>(
    tx,
    'select id, name, region_id, state, product from rooms where id = $1 for update',
    [roomId],
  )
  const notMoved = await whyNotMoved(tx, roomName, way, await factsOf(tx, way, room))
  if (notMoved !== null) return notMoved
  if (room === undefined || !isMovableState(room.state)) throw new Error('A room that is not there has no obstacle.')
  return (await whyNotInTarget(tx, way, room)) ?? { room: { ...room, state: room.state } }
}

async function factsOf(tx: Tx, way: MoveWay, room: Room | undefined) {
  if (room === undefined) return { home: homeFact(null, way) }
  return { home: homeFact(room.regionId, way), isBusy: await roomIsBusy(tx, room.id), state: room.state }
}

/** Asked only for rooms that can be moved: a busy room is postponed, even while the target takes no rooms. */
async function whyNotInTarget(tx: Tx, way: MoveWay, { id, name, product }: Room): Promise<NotMoved | null> {
  try {
    const { isDisabled, products, freeCapacity } = await lockCapacity(tx, way.targetRegionId)
    const removals = await removalsInTarget(tx, way.targetRegionId, [id])
    return await whyNotMoved(tx, name, way, {
      product,
      targetIsDisabled: isDisabled,
      targetProducts: products,
      freeCapacity,
      removalInTarget: removals.get(id) ?? null,
    })
  } catch (error) {
    // There is no such region: this room fails, the run goes on.
    if (error instanceof Refusal) return { outcome: 'failed', reasons: [error.reason] }
    throw error
  }
}
