/**
 * Starts operations. The record is created in the caller's transaction; once that commits, the operation is queued.
 */
import { randomUUID } from 'node:crypto'
import type { Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { announce } from '#platform/events.ts'
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
  try {
    await tx
      .insertInto('operations')
      .values({
        id,
        kind: kind.kind,
        version: kind.version,
        processType: kind.process,
        roomId: parts.room?.id ?? null,
        roomName,
        regionId: parts.regionId,
        input: JSON.stringify(parts.input),
        state: 'waiting',
        startedBy: parts.startedBy,
        requestId: parts.requestId,
        parentId: parts.parentId ?? null,
        awaitsSlots: slotRegions.length > 0,
        traceparent: traceparentOfStart(tx, kind.kind, parts),
      })
      .execute()
  } catch (error) {
    if (violatesUnique(error, 'operations_one_per_room')) throw refuse('room-busy', { room: roomName })
    throw error
  }
  await tx
    .insertInto('operationSteps')
    .values(
      kind.steps.map((step, position) => ({
        operationId: id,
        position,
        stepId: step.id,
        name: step.title,
        state: 'open' as const,
        output: null,
        startedAt: null,
        endedAt: null,
        processType: step.process ?? null,
        regionId: step.process === undefined ? null : (step.region?.(parts.input) ?? parts.regionId),
        roomName: step.process === undefined ? null : roomName,
      })),
    )
    .execute()
  await announce(tx, { type: 'operation', operationId: id, room: roomName })
  const background = parts.background ?? false
  if (slotRegions.length > 0) await enqueue(tx, { operationId: id, background }, slotRegions)
  return id
}

/** The regions whose slots an operation needs. In the background every operation of a region needs one. */
export function slotRegionsOf<Input>(
  kind: Operation<Input>,
  { input, regionId, background = false }: Pick<StartParts<Input>, 'input' | 'regionId' | 'background'>,
): number[] {
  const second = kind.secondSlot?.(input)
  const needsSlot = kind.takesSlot || background
  return [...(needsSlot && regionId !== null ? [regionId] : []), ...(second === undefined ? [] : [second])]
}
