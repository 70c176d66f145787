/** Starting operations: the record and the durable workflow are made in the caller's transaction, or not at all. */
import { randomUUID } from 'node:crypto'
import type { DBOSClient } from '@dbos-inc/dbos-sdk'
import type pg from 'pg'
import type { Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { announce } from '#platform/events.ts'
import { refuse } from '#platform/refuse.ts'
import type { Operation } from './operation.ts'
import { enqueue } from './queues.ts'

export interface StartParts<Input> {
  input: Input
  room: { id: string; name: string } | null
  /** What the operation works on when it is not a room. */
  subject?: string
  regionId: number | null
  startedBy: string
  requestId: string | null
}

/**
 * @returns the operation's id
 * @throws Refusal `room-busy` when another operation runs for the room
 */
export async function startOperation<Input, Services>(
  client: DBOSClient,
  tx: Tx,
  connection: pg.PoolClient,
  kind: Operation<Input, Services>,
  parts: StartParts<Input>,
): Promise<string> {
  const id = randomUUID()
  const roomName = parts.room?.name ?? parts.subject ?? ''
  try {
    await tx
      .insertInto('operations')
      .values({
        id,
        kind: kind.kind,
        version: kind.version,
        process_type: kind.process,
        room_id: parts.room?.id ?? null,
        room_name: roomName,
        region_id: parts.regionId,
        input: JSON.stringify(parts.input),
        state: 'waiting',
        started_by: parts.startedBy,
        request_id: parts.requestId,
      })
      .execute()
  } catch (error) {
    if (violatesUnique(error, 'operations_one_per_room')) throw refuse('room-busy', { room: roomName })
    throw error
  }
  await tx
    .insertInto('operation_steps')
    .values(
      kind.steps.map((step, position) => ({
        operation_id: id,
        position,
        name: step.name,
        state: 'open' as const,
        output: null,
        started_at: null,
        ended_at: null,
      })),
    )
    .execute()
  await announce(tx, { type: 'operation', operationId: id, room: roomName })
  await enqueue(client, connection, {
    operationId: id,
    attempt: 1,
    from: 0,
    regionId: kind.takesPlace ? parts.regionId : null,
  })
  return id
}
