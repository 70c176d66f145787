/**
 * For calls that answer with the room as soon as the operation has succeeded, or with the operation if it takes longer.
 */
import { because, joinReasons, type ProjectRoom } from '@roomkeeper/contract'
import { awaitOperation } from '#operations/index.ts'
import type { Database } from '#platform/database.ts'
import { accepted, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { findRoom } from '../find-room.ts'

type RoomOrOperation = { status: 200; body: ProjectRoom } | { status: 202; body: { operationId: string } }

/**
 * @param waitSeconds how long to wait for the operation
 * @throws Refusal `region-refused` with the operation's error text if it failed, `operation-ended` if it was cancelled
 */
export async function answerWithRoom(
  database: Database,
  roomName: string,
  operationId: string,
  waitSeconds: number,
): Promise<RoomOrOperation> {
  const end = await awaitOperation(database.db, operationId, waitSeconds)
  if (end === null) return accepted(operationId)
  if (end.state === 'failed') {
    throw refuse('region-refused', { reason: joinReasons(end.reasons) ?? because('told', { told: '' }) })
  }
  if (end.state === 'cancelled') throw refuse('operation-ended')
  const room = await findRoom(database.db, roomName)
  if (room === null) throw refuse('room-unknown', { room: roomName })
  return ok(room)
}
