/**
 * Proves that a target still holds what a move brought there. A region whose disk was put back from an older backup may
 * have the room too: the copy before it was filled, or the room from an earlier stay. But that region has no record of
 * the comparison in this move.
 */

import { randomUUID } from 'node:crypto'
import { because } from '@roomkeeper/contract'
import type { RegionClient } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { type OperationRecord, outputOfStep, type StepCall, StepFailed } from '#operations/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { runRegionJob } from '#regions/index.ts'
import { type Copy, roomIsOlder } from './check-home.ts'
import type { MoveInput } from './move-call.ts'
import { moveSteps } from './move-steps.ts'
import { comparedDigest } from './remove-copy.ts'

/** `digest` is that of both copies when the move compared them; null if the database has no record of it. */
export const moveProof = z.object({ attempt: z.int(), digest: z.string().nullable() })
export type MoveProof = z.infer<typeof moveProof>

export async function proofOf(db: Db | Tx, { id, attempt }: OperationRecord<MoveInput>): Promise<MoveProof> {
  const compared = await outputOfStep(db, id, moveSteps.compare)
  return { attempt, digest: compared?.digest ?? null }
}

type ProofCall = Pick<StepCall<unknown>, 'id' | 'attempt' | 'mark' | 'log' | 'progress' | 'signal' | 'services'>

interface Moved {
  room: { id: string; name: string }
  /** The move and its proof. */
  move: { id: string } & MoveProof
  /** Where the room is now. */
  home: { name: string }
  /** The copy that the room left behind. */
  abandoned: Copy
  /** True if no user is known to have written to the room since the comparison, so its content can be compared. */
  isClosed(): Promise<boolean>
  /** True if the room was lost or may have been put back: then the region's record alone is not enough. */
  isInDoubt: boolean
}

/**
 * For an open room only the region's record counts, because users have changed the content.
 * @throws StepFailed with the code `lost`; without a code when the record is so old that the region has removed it
 */
export async function requireMovedContent(call: ProofCall, target: RegionClient, moved: Moved): Promise<void> {
  const { move, room } = moved
  const { compared, isKnown } = await recordOf(target, move)
  if (isKnown && !moved.isInDoubt) return
  if (!(await moved.isClosed())) {
    if (isKnown) return
  } else {
    const job = { type: 'digestRoom', room: room.name, roomId: room.id } as const
    const { digest } = await runRegionJob(call, target, job, `digest-moved-${randomUUID()}`)
    if (digest === (move.digest ?? compared)) return
  }
  if (compared === null && (await isLongAgo(call))) throw noRecord(moved.home.name)
  throw await roomIsOlder(call, moved.abandoned, moved.home)
}

/**
 * For a target that the room has left again: the next move has proved what the room held by then.
 * @throws StepFailed
 */
export async function requireContentWhenMovedOn(
  call: ProofCall,
  target: RegionClient,
  move: Moved['move'],
  names: { target: string; home: string },
): Promise<void> {
  const { compared, isKnown } = await recordOf(target, move)
  if (isKnown) return
  if (compared === null && (await isLongAgo(call))) throw noRecord(names.target)
  throw new StepFailed(because('moved-content-unknown', { target: names.target, region: names.home }))
}

async function recordOf(target: RegionClient, move: Moved['move']) {
  const compared = await comparedDigest(target, { move })
  return { compared, isKnown: compared !== null && (move.digest === null || compared === move.digest) }
}

/** Regions keep the records of jobs for 30 days. */
async function isLongAgo({ id, services }: ProofCall): Promise<boolean> {
  const text = `select from operations where id = $1 and created_at < now() - interval '29 days'`
  return (await queryRows(services.db, text, [id])).length > 0
}

function noRecord(target: string): StepFailed {
  return new StepFailed(because('no-record-of-move', { target }))
}
