/** A step's call in the move of one room: which room, and the two regions. */
import type { RegionClient } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { type OperationRecord, type StepCall, StepFailed } from '#operations/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import type { RoomServices } from '#rooms/index.ts'

export const moveInput = z.object({
  migrationId: z.int(),
  /** The operation of the run. */
  runId: z.uuid(),
  sourceRegionId: z.int(),
  targetRegionId: z.int(),
  /** The room's stored state, before and after. */
  before: z.enum(['DEFAULT', 'SUSPENDED']),
  routing: z.boolean(),
  skipActiveSessions: z.boolean(),
  /** The copy in the target is suspended until the switch. Moves of version 1 made it in the state of the room. */
  closedCopy: z.boolean().default(false),
})
export type MoveInput = z.infer<typeof moveInput>

export type MoveCall = StepCall<MoveInput, RoomServices>

export type Side = 'source' | 'target'

/** The sort of failure that postpones a room. */
export const postponed = 'postponed'

export function connectTo(call: MoveCall, side: Side): Promise<RegionClient> {
  const { sourceRegionId, targetRegionId } = call.input
  return call.services.connectRegion(side === 'source' ? sourceRegionId : targetRegionId, call.signal)
}

export function movedRoom({ roomId, roomName }: Pick<OperationRecord<unknown>, 'roomId' | 'roomName'>): {
  id: string
  name: string
} {
  if (roomId === null) throw new StepFailed('The operation has no project room.')
  return { id: roomId, name: roomName }
}

/** The region where the console has the room; null: it has none. */
export async function homeOf(db: Db | Tx, record: { roomId: string | null }): Promise<number | null> {
  const [room] = await queryRows<{ regionId: number }>(db, 'select region_id from rooms where id = $1', [record.roomId])
  return room?.regionId ?? null
}

/** The holder of both locks, in all attempts and for all workers. */
export function holderOf({ id }: Pick<OperationRecord<unknown>, 'id'>): string {
  return `migration ${id}`
}
