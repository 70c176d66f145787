/**
 * Begins to move a room, or says why not, in one transaction: whether it can be moved, its place in the target, its
 * operation.
 */
import { queryRows, type Tx } from '#platform/database.ts'
import { announce } from '#platform/events.ts'
import { Refusal } from '#platform/refuse.ts'
import { takePlace } from '#regions/index.ts'
import { changeState, type StoredRoom } from '#rooms/index.ts'
import { migrateRoom } from './migrate-room.ts'
import { recordOutcome } from './room-outcome.ts'
import type { RunCall, RunInput } from './run-call.ts'

type Obstacle = { outcome: 'postponed' | 'failed'; reason: string }
type MovableRoom = StoredRoom & { state: 'DEFAULT' | 'SUSPENDED' }

/** @returns whether it is on its way; when it is not, it may still be waiting */
export async function beginRoom(call: RunCall, roomId: string): Promise<boolean> {
  try {
    return await begin(call, roomId)
  } catch (error) {
    // Not everybody who begins something for a room holds its row. Whoever looks again finds it busy.
    if (error instanceof Refusal && error.code === 'room-busy') return false
    throw error
  }
}

function begin(call: RunCall, roomId: string): Promise<boolean> {
  return call.transaction(async (tx) => {
    const [waiting] = await queryRows<{ roomName: string }>(
      tx,
      `select room_name from live_migration_rooms where run_id = $1 and room_id = $2 and state = 'waiting' for update`,
      [call.id, roomId],
    )
    if (waiting === undefined) return false
    const found = await findMovable(tx, call.input, roomId)
    if ('outcome' in found) {
      const { migrationId } = call.input
      const where = { runId: call.id, migrationId, roomId, roomName: waiting.roomName, operationId: null }
      await recordOutcome(tx, { ...where, ...found })
      return false
    }
    const { room } = found
    const { parallel: _, ...common } = call.input
    const input = { ...common, runId: call.id, before: room.state, closedCopy: true }
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

/** Holds the rows of the room and of the target region; with a place for the room in the target. */
async function findMovable(tx: Tx, input: RunInput, roomId: string): Promise<Obstacle | { room: MovableRoom }> {
  const room = await tx.selectFrom('rooms').selectAll().where('id', '=', roomId).forUpdate().executeTakeFirst()
  if (room === undefined || room.regionId !== input.sourceRegionId)
    return { outcome: 'failed', reason: 'The project room is not in the source region (any more).' }
  if (await isBusy(tx, roomId))
    return { outcome: 'postponed', reason: `Another operation is running for the project room ${room.name}.` }
  if (room.state !== 'DEFAULT' && room.state !== 'SUSPENDED')
    return { outcome: 'failed', reason: `The project room is in the state ${room.state}.` }
  const refused = await takePlace(tx, input.targetRegionId, room.product).catch((error: unknown) => {
    if (error instanceof Refusal) return error
    throw error
  })
  if (refused instanceof Refusal) return { outcome: 'failed', reason: refused.message }
  const removal = await removalInTarget(tx, roomId, input.targetRegionId)
  if (removal !== null) return { outcome: 'postponed', reason: removal }
  return { room: { ...room, state: room.state } }
}

async function isBusy(tx: Tx, roomId: string): Promise<boolean> {
  const open = await queryRows(
    tx,
    `select from operations where room_id = $1 and state in ('waiting', 'running', 'cancelling')`,
    [roomId],
  )
  return open.length > 0
}

/** A copy that is being removed there must not be taken for the new one. */
async function removalInTarget(tx: Tx, roomId: string, targetRegionId: number): Promise<string | null> {
  const [found] = await queryRows<{ kind: string }>(
    tx,
    `select kind from operations
      where region_id = $2 and state in ('waiting', 'running', 'cancelling')
        and (kind = 'migration.force-delete'
          or kind in ('migration.leave-source', 'migration.leave-target') and input->>'roomId' = $1) limit 1`,
    [roomId, targetRegionId],
  )
  if (found === undefined) return null
  return found.kind === 'migration.force-delete'
    ? 'A force delete in the target region is under way.'
    : 'Its former copy in the target region is still being removed.'
}
