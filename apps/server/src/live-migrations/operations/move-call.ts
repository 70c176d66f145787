/** What the steps of a move share: their input and outputs, the room, its two regions, and the holder of its locks. */
import { because } from '@roomkeeper/contract'
import type { RegionClient } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { type OperationRecord, type StepCall, StepFailed } from '#operations/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'

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

const regionOfRoom = 'select region_id from rooms where id = $1'

/** The holder of both locks: the same in every attempt and on every worker. */
export function holderOf({ id }: Pick<OperationRecord<unknown>, 'id'>): string {
  return `migration ${id}`
}

/** The backup file. */
const backupFile = z.object({
  file: z.string(),
  size: z.int(),
  sha256: z.string(),
  /** The file lies in the target, and not in the source. */
  inTarget: z.literal(true).optional(),
  /** The digest of what was packed, if the source has told it. */
  digest: z.string().optional(),
  /** Set when the source could not send it straight to the target. */
  directFailed: z.literal(true).optional(),
})
export type BackupFile = z.infer<typeof backupFile>

const takenLock = z.object({ heldSince: z.string() })
export type TakenLock = z.infer<typeof takenLock>

/** `bytes`: the room's size. */
const lockedSource = takenLock.extend({ bytes: z.number() })
export type LockedSource = z.infer<typeof lockedSource>

/** `opened` is false if the opening was left to a separate operation. */
const opened = z.object({ opened: z.boolean() })
export type Opened = z.infer<typeof opened>

/** `digest`: that of what the target restored, if it has told it. */
const restored = z.object({ digest: z.string().optional() })
export type Restored = z.infer<typeof restored>

const comparison = z.object({ digest: z.string().nullable() })
export type Comparison = z.infer<typeof comparison>

/** `closedBefore`: set by a try that found the source already suspended by an earlier one. */
const switched = z.object({ closedBefore: z.literal(true).optional() })
export type Switched = z.infer<typeof switched>

/** The steps that other code names: other steps, the end of the move, and what follows it. */
export const moveSteps = {
  lockSource: { id: 'lock-source', title: 'lock the room in the source', output: lockedSource },
  backUp: { id: 'back-room-up', title: 'back the room up', output: backupFile },
  createCopy: { id: 'create-copy', title: 'create the room in the target', output: takenLock },
  restore: { id: 'restore-copy', title: 'restore the room in the target', output: restored },
  compare: { id: 'compare-copies', title: 'compare both copies', output: comparison },
  switch: { id: 'switch', title: 'switch to the target', output: switched },
  open: { id: 'open-target', title: 'open the room in the target', output: opened },
  leave: { id: 'leave-source', title: 'clean up the source' },
}

/** The names of the jobs that a move runs on its regions. */
export const moveJobs = {
  backup: 'backup',
  direct: 'backup-to-target',
  restore: 'restore',
  remove: 'remove',
  source: 'digest-source',
  target: 'digest-target',
}
