/**
 * Locks a copy of a room that is to be deleted, so that nobody changes it between the check of its content and its
 * deletion. A lock expires by itself, and a region also deletes rooms that are not locked. So the code checks that the
 * lock was held without a gap, and suspends the copy at the end, because a suspension lasts.
 */
import { because } from '@roomkeeper/contract'
import {
  type CallMark,
  lockSeconds,
  type RegionClient,
  RegionRefusal,
  type RoomInfo,
} from '@roomkeeper/region-protocol'
import { NotYet, type StepCall } from '#operations/index.ts'
import { whileRenewed } from '#platform/while-renewed.ts'
import { markWithOwnFence, withNextFence } from './own-fence.ts'

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
 * Suspends the copy, so that nobody can enter it before its deletion.
 * @param held the result of `withCopyLocked`
 * @throws NotYet when somebody may have entered it meanwhile
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
    if (!(error instanceof RegionRefusal && error.status === diskIsFull)) throw error
    const found = await region.room(name)
    if (found?.roomId !== roomId) throw error
    return found
  }
}

const diskIsFull = 507

/**
 * A renewal that was given up, but is still on its way, is refused when it arrives after the release. Ignores failures:
 * the lock also expires by itself.
 */
export async function releaseCopy({ region, name, roomId, holder, lockMark }: CopyToLock): Promise<void> {
  await region.unlockRoom(name, { roomId, holder }, withNextFence(lockMark)).catch(() => undefined)
}
