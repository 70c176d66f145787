/** What the steps of a move share: their input, the room, its two regions, and the holder of its locks. */
import { because } from '@roomkeeper/contract'
import type { RegionClient } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { type OperationRecord, type StepCall, StepFailed } from '#operations/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { prepared } from '#platform/prepared-statements.ts'

export const moveInput = z.object({
  /** The configuration; null: the room is moved by a bulk. */
  migrationId: z.int().nullable(),
  /** The operation of the run or bulk. */
  runId: z.uuid(),
  sourceRegionId: z.int(),
  targetRegionId: z.int(),
  /** The room's stored state before the move, and again after it. */
  before: z.enum(['DEFAULT', 'SUSPENDED']),
  routing: z.boolean(),
  skipActiveSessions: z.boolean(),
})
export type MoveInput = z.infer<typeof moveInput>

export type MoveCall = StepCall<MoveInput>

export type Side = 'source' | 'target'

/** The code of the failure that postpones a room. */
export const postponed = 'postponed'

export function connectTo(call: MoveCall, side: Side): Promise<RegionClient> {
  const { sourceRegionId, targetRegionId } = call.input
  return call.services.connectRegion(side === 'source' ? sourceRegionId : targetRegionId, call.signal)
}

export function movedRoom({ roomId, roomName }: Pick<OperationRecord<unknown>, 'roomId' | 'roomName'>): {
  id: string
  name: string
} {
  if (roomId === null) throw new StepFailed(because('operation-without-room'))
  return { id: roomId, name: roomName }
}

/** The region where the console has the room; null if the console does not have it. */
export async function homeOf(db: Db | Tx, record: { roomId: string | null }): Promise<number | null> {
  const [room] = await queryRows<{ regionId: number }>(db, regionOfRoom, [record.roomId])
  return room?.regionId ?? null
}

const regionOfRoom = prepared('select region_id from rooms where id = $1')

/** The holder of both locks: the same in every attempt and on every worker. */
export function holderOf({ id }: Pick<OperationRecord<unknown>, 'id'>): string {
  return `migration ${id}`
}
