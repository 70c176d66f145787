/**
 * Starts operations. The record is created in the caller's transaction; once that commits, the operation is queued.
 */
import { randomUUID } from 'node:crypto'
import { recordedFor } from '#changes/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { prepared } from '#platform/prepared-statements.ts'
import { refuse } from '#platform/refuse.ts'
import { enqueue } from './engine/index.ts'
import type { Operation, StartParts } from './operation.ts'
import { traceparentOfStart } from './trace-operations.ts'

/**
 * @returns the operation's id
 * @throws Refusal `room-busy` when another operation runs for the room
 */
export async function startOperation<Input>(tx: Tx, kind: Operation<Input>, parts: StartParts<Input>): Promise<string> {
  const id = randomUUID()
  const roomName = parts.room?.name ?? parts.subject ?? ''
  const slotRegions = slotRegionsOf(kind, parts)
  const steps = kind.steps.map(({ id: stepId, title, process, region }) => ({
    stepId,
    title,
    ...(process !== undefined && { process, region: region?.(parts.input) ?? parts.regionId, room: roomName }),
  }))
  try {
    await queryRows(tx, insertOperation, [
      id,
      kind.kind,
      kind.version,
      kind.process,
      parts.room?.id ?? null,
      roomName,
      parts.regionId,
      JSON.stringify(parts.input),
      parts.startedBy,
      parts.requestId,
      parts.parentId ?? null,
      slotRegions.length > 0,
      traceparentOfStart(tx, kind.kind, parts),
      JSON.stringify(steps),
    ])
  } catch (error) {
    if (violatesUnique(error, 'operations_one_per_room')) throw refuse('room-busy', { room: roomName })
    throw error
  }
  const background = parts.background ?? false
  if (slotRegions.length > 0) await enqueue(tx, { operationId: id, background }, slotRegions)
  return id
}

const insertOperation = prepared(`
  with started as (
    insert into operations (id, kind, version, process_type, room_id, room_name, region_id, input, state, started_by,
                            request_id, parent_id, awaits_slots, traceparent)
    values ($1, $2, $3, $4, $5, $6, $7, $8, 'waiting', $9, $10, $11, $12, $13)
    returning id, room_name
  ), recorded as (
    ${recordedFor('operation.changed', 'started')}
  )
  insert into operation_steps (operation_id, position, step_id, name, state, process_type, region_id, room_name)
  select $1, n - 1, step->>'stepId', step->>'title', 'open', step->>'process', (step->>'region')::int, step->>'room'
    from jsonb_array_elements($14::jsonb) with ordinality as steps(step, n)`)

/** The regions whose slots an operation needs. In the background every operation of a region needs one. */
export function slotRegionsOf<Input>(
  kind: Operation<Input>,
  { input, regionId, background = false }: Pick<StartParts<Input>, 'input' | 'regionId' | 'background'>,
): number[] {
  const second = kind.secondSlot?.(input)
  const needsSlot = kind.takesSlot || background
  return [...(needsSlot && regionId !== null ? [regionId] : []), ...(second === undefined ? [] : [second])]
}
