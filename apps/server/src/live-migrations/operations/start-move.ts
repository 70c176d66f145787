/**
 * Starts the move of a room, or records why not, in one transaction: checks the room, reserves capacity in the target,
 * starts the operation.
 */
import { isMovableState, type MovableState, type NotMoved } from '@roomkeeper/rules'
import { queryRows, type Tx } from '#platform/database.ts'
import { announce } from '#platform/events.ts'
import { Refusal } from '#platform/refuse.ts'
import { lockCapacity } from '#regions/index.ts'
import { changeState, type StoredRoom } from '#rooms/index.ts'
import { removalsInTarget } from '../removals-in-target.ts'
import { migrateRoom } from './migrate-room.ts'
import { homeFact, whyNotMoved } from './require-movable.ts'
import { recordOutcome } from './room-outcome.ts'
import type { RunCall, RunInput } from './run-call.ts'

type Waiting = { roomId: string; roomName: string }
type MovableRoom = StoredRoom & { state: MovableState }

/** `waits`: the room has to be tried again, before those behind it. */
export async function startMove(call: RunCall, roomId: string): Promise<'started' | 'not-moved' | 'waits'> {
  try {
    return (await start(call, roomId)) ? 'started' : 'not-moved'
  } catch (error) {
    // Some operations of a room start without locking its row. The next attempt finds the room busy.
    if (error instanceof Refusal && error.code === 'room-busy') return 'waits'
    throw error
  }
}

function start(call: RunCall, roomId: string): Promise<boolean> {
  return call.transaction(async (tx) => {
    const [waiting] = await queryRows<Waiting>(
      tx,
      `select room_id, room_name from live_migration_rooms where run_id = $1 and room_id = $2 and state = 'waiting' for update`,
      [call.id, roomId],
    )
    if (waiting === undefined) return false
    const found = await findMovable(tx, call.input, waiting)
    if ('outcome' in found) {
      const { migrationId } = call.input
      await recordOutcome(tx, { runId: call.id, migrationId, ...waiting, ...found, operationId: null })
      return false
    }
    const { room } = found
    const { parallel: _, ...common } = call.input
    const input = { ...common, runId: call.id, before: room.state, closedCopy: true, straight: true }
    const operationId = await call.start(tx, migrateRoom, {
      input,
      room,
      regionId: call.input.sourceRegionId,
    })
    await tx
      .insertInto('reservedPlaces')
      .values({ roomId: room.id, regionId: call.input.targetRegionId, operationId })
      .execute()
    await changeState(tx, room.id, { from: [room.state], to: 'IN_PROGRESS' })
    await tx
      .updateTable('liveMigrationRooms')
      .set({ state: 'running', operationId })
      .where('runId', '=', call.id)
      .where('roomId', '=', room.id)
      .execute()
    await announce(tx, { type: 'migration', id: call.input.migrationId })
    return true
  })
}

/** Locks the rows of the room and then of the target region, and reserves capacity in the target. */
async function findMovable(
  tx: Tx,
  input: RunInput,
  { roomId, roomName }: Waiting,
): Promise<NotMoved | { room: MovableRoom }> {
  const room = await tx.selectFrom('rooms').selectAll().where('id', '=', roomId).forUpdate().executeTakeFirst()
  const notMoved = await whyNotMoved(tx, roomName, input, await factsOf(tx, input, room))
  if (notMoved !== null) return notMoved
  if (room === undefined || !isMovableState(room.state)) throw new Error('A room that is not there has no obstacle.')
  return (await whyNotInTarget(tx, input, room)) ?? { room: { ...room, state: room.state } }
}

async function factsOf(tx: Tx, input: RunInput, room: StoredRoom | undefined) {
  if (room === undefined) return { home: homeFact(null, input) }
  return { home: homeFact(room.regionId, input), isBusy: await isBusy(tx, room.id), state: room.state }
}

/** Asked only for rooms that can be moved: a busy room is postponed, even while the target takes no rooms. */
async function whyNotInTarget(tx: Tx, input: RunInput, { id, name, product }: StoredRoom): Promise<NotMoved | null> {
  try {
    const { isDisabled, products, freeCapacity } = await lockCapacity(tx, input.targetRegionId)
    const removals = await removalsInTarget(tx, input.targetRegionId, [id])
    return await whyNotMoved(tx, name, input, {
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

async function isBusy(tx: Tx, roomId: string): Promise<boolean> {
  const open = await queryRows(
    tx,
    `select from operations where room_id = $1 and state in ('waiting', 'running', 'cancelling')`,
    [roomId],
  )
  return open.length > 0
}
