/**
 * Removes a copy of a room from a region: it is locked while its content is checked, suspended, and deleted. A lock
 * expires by itself, and a region also deletes rooms that are not locked. So the code checks that the lock was held
 * without a gap, and suspends the copy at the end, because a suspension lasts.
 */

import { randomUUID } from 'node:crypto'
import { because } from '@roomkeeper/contract'
import {
  type CallMark,
  insufficientStorage,
  type JobRequest,
  type JobResult,
  lockSeconds,
  type RegionClient,
  RegionRefusal,
  type RoomInfo,
} from '@roomkeeper/region-protocol'
import { NotYet, type StepCall } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'
import { whileRenewed } from '#platform/while-renewed.ts'
import { markWithOwnFence, refuseOlderCalls, withNextFence } from './own-fence.ts'
import { type JobCall, type JobLimits, runRegionJob } from './run-region-job.ts'

export interface CopyToLock {
  region: RegionClient
  name: string
  roomId: string
  holder: string
  mark: CallMark
  /** For the calls of the lock, so that none of them takes effect after its release. */
  lockMark: CallMark
}

/** @param call the step that locks the copy; its lock is that of no earlier call */
export function copyToLock(
  call: Pick<StepCall<unknown>, 'id' | 'mark'>,
  copy: Pick<CopyToLock, 'region' | 'name' | 'roomId' | 'holder'>,
): CopyToLock {
  return { ...copy, mark: call.mark, lockMark: markWithOwnFence(call, 'locks') }
}

const renewMilliseconds = (lockSeconds * 1000) / 4

/**
 * Runs `work` while the copy is locked. The lock stays if the work succeeds, and is released if it fails.
 * @param work gets the state of the copy before
 * @returns the state of the copy afterwards
 * @throws NotYet when the lock was gone for a while, so the copy may have been changed
 */
export async function withCopyLocked(copy: CopyToLock, work: (info: RoomInfo) => Promise<void>): Promise<RoomInfo> {
  const before = await lock(copy)
  try {
    // Reading a large room takes longer than a lock lasts.
    await whileRenewed(
      () => lock(copy),
      renewMilliseconds,
      () => work(before),
    )
    const after = await lock(copy)
    requireNoGap(before, after)
    return after
  } catch (error) {
    await releaseCopy(copy)
    throw error
  }
}

/**
 * Suspends the copy, so that no user can enter it before its deletion.
 * @param held the result of `withCopyLocked`
 * @throws NotYet when a user may have entered it meanwhile
 */
export async function suspendLocked(copy: CopyToLock, held: RoomInfo): Promise<void> {
  if (held.state === 'suspended') return
  const closed = await copy.region.suspendRoom(copy.name, copy.roomId, copy.mark)
  try {
    if (closed.lock === null) throw wasChanged()
    requireNoGap(held, closed)
  } catch (error) {
    try {
      await copy.region.resumeRoom(copy.name, copy.roomId, copy.mark)
    } finally {
      await releaseCopy(copy)
    }
    throw error
  }
}

function requireNoGap(before: RoomInfo, after: RoomInfo): void {
  if (before.lock?.heldSince !== after.lock?.heldSince) throw wasChanged()
}

const wasChanged = () => new NotYet(because('copy-lock-gap'))

/** On a full disk a region can neither lock nor suspend a room; the copy is only read there. */
async function lock({ region, name, roomId, holder, lockMark }: CopyToLock): Promise<RoomInfo> {
  try {
    return await region.lockRoom(name, { roomId, holder }, lockMark)
  } catch (error) {
    if (!(error instanceof RegionRefusal && error.status === insufficientStorage)) throw error
    const found = await region.room(name)
    if (found?.roomId !== roomId) throw error
    return found
  }
}

/**
 * A renewal that was given up, but is still on its way, is refused when it arrives after the release. Ignores failures:
 * the lock also expires by itself.
 */
export async function releaseCopy({ region, name, roomId, holder, lockMark }: CopyToLock): Promise<void> {
  await region.unlockRoom(name, { roomId, holder }, withNextFence(lockMark)).catch(() => undefined)
}

interface Removal {
  /** The name of the removal within its operation. */
  name: string
  mark: CallMark
}

/** Called before the check: from now on the region refuses late calls of earlier tries. */
export async function startRemoval(call: JobCall, region: RegionClient, name: string): Promise<Removal> {
  const mark = markWithOwnFence(call, 'removals')
  await refuseOlderCalls(region, mark)
  return { name, mark }
}

type RemovalRequest = Omit<Extract<JobRequest, { type: 'deleteRoom' }>, 'type'> & {
  /**
   * Whether the region lists the copy. If not, an earlier removal may be half done; the job then has a fixed id, so
   * that the region finishes it.
   */
  isListed: boolean
}

/**
 * Deletes a copy of a room that was checked before. The job has a new id, because for the id of an earlier job the
 * region would only answer with that job's result. If such a job arrives late, only its fence keeps it from deleting
 * what exists by then, which may be the room itself.
 */
export async function removeCheckedCopy(
  call: JobCall,
  region: RegionClient,
  { name, mark }: Removal,
  { isListed, ...request }: RemovalRequest,
  limits: JobLimits = {},
): Promise<JobResult<'deleteRoom'>> {
  const job = isListed ? `${name}-${randomUUID()}` : name
  try {
    const removed = await runRegionJob({ ...call, mark }, region, { type: 'deleteRoom', ...request }, job, limits)
    await refuseOlderCalls(region, withNextFence(mark))
    return removed
  } catch (error) {
    // If this call fails, the next try or a worker that takes over begins with it.
    await refuseOlderCalls(region, withNextFence(mark)).catch(() => undefined)
    throw error
  }
}

type ClosingCall = Pick<StepCall<unknown>, 'id' | 'transaction' | 'services'>

/**
 * Which copies an operation has closed in order to remove them. It is recorded before the copy is suspended, for repeated
 * steps and for workers that take over: a copy that is kept in the end must not stay closed.
 */
export async function recordClosing(call: ClosingCall, roomId: string): Promise<void> {
  const text = `update operations set input = input || jsonb_build_object($2::text, true) where id = $1`
  await call.transaction((tx) => queryRows(tx, text, [call.id, keyOf(roomId)]))
}

export async function forgetClosing(call: ClosingCall, roomId: string): Promise<void> {
  const text = `update operations set input = input - $2::text where id = $1`
  await call.transaction((tx) => queryRows(tx, text, [call.id, keyOf(roomId)]))
}

export async function isClosing({ id, services }: ClosingCall, roomId: string): Promise<boolean> {
  const text = `select from operations where id = $1 and input ? $2`
  return (await queryRows(services.db, text, [id, keyOf(roomId)])).length > 0
}

/** An operation may remove copies of several rooms. */
const keyOf = (roomId: string) => `closesCopyOf:${roomId}`
