/**
 * Locks a copy of a room that is to be deleted: nobody may change it between the check of its content and its deletion.
 * A lock ends by itself, and a region deletes rooms without a lock, too; so the lock must have been held without a gap,
 * and the copy is suspended at the end, because a suspension lasts.
 */
import { because } from '@roomkeeper/contract'
import {
  type CallMark,
  lockSeconds,
  type RegionClient,
  RegionRefusal,
  type RoomInfo,
} from '@roomkeeper/region-protocol'
import { NotYet } from '#operations/index.ts'

export interface CopyToLock {
  region: RegionClient
  name: string
  roomId: string
  holder: string
  mark: CallMark
}

const renewMilliseconds = (lockSeconds * 1000) / 4

/**
 * The lock stays when the work succeeds, and is released when it fails.
 * @param work gets the copy as it is now
 * @returns the copy as it is afterwards
 * @throws NotYet when the lock was gone for a while: it may have been changed
 */
export async function withCopyLocked(copy: CopyToLock, work: (info: RoomInfo) => Promise<void>): Promise<RoomInfo> {
  const before = await lock(copy)
  try {
    await whileRenewed(copy, () => work(before))
    const after = await lock(copy)
    requireNoGap(before, after)
    return after
  } catch (error) {
    await unlock(copy)
    throw error
  }
}

/**
 * Suspends the copy, so that nobody can get into it before its deletion.
 * @param held the result of `withCopyLocked`
 * @throws NotYet when somebody may have got into it since
 */
export async function suspendLocked(copy: CopyToLock, held: RoomInfo): Promise<void> {
  if (held.state === 'suspended') return
  const closed = await copy.region.suspendRoom(copy.name, copy.roomId, copy.mark)
  try {
    if (closed.lock === null) throw wasChanged()
    requireNoGap(held, closed)
  } catch (error) {
    await copy.region.resumeRoom(copy.name, copy.roomId, copy.mark)
    await unlock(copy)
    throw error
  }
}

/** Reading a large room takes longer than a lock lasts. */
async function whileRenewed(copy: CopyToLock, work: () => Promise<void>): Promise<void> {
  let renewing: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    // A failed renewal is tried again; a gap in the lock is found afterwards.
    renewing = lock(copy).catch(() => undefined)
  }, renewMilliseconds)
  try {
    await work()
  } finally {
    clearInterval(timer)
    // No renewal may arrive after the lock was released.
    await renewing
  }
}

function requireNoGap(before: RoomInfo, after: RoomInfo): void {
  if (before.lock?.heldSince !== after.lock?.heldSince) throw wasChanged()
}

const wasChanged = () => new NotYet(because('copy-lock-gap'))

/** On a full disk nothing can be locked; there the copy is only read, and an open one is not suspended either. */
async function lock({ region, name, roomId, holder, mark }: CopyToLock): Promise<RoomInfo> {
  try {
    return await region.lockRoom(name, { roomId, holder }, mark)
  } catch (error) {
    if (!(error instanceof RegionRefusal && error.status === diskIsFull)) throw error
    const found = await region.room(name)
    if (found?.roomId !== roomId) throw error
    return found
  }
}

const diskIsFull = 507

/** If the region does not answer, the lock ends by itself. */
async function unlock({ region, name, roomId, holder, mark }: CopyToLock): Promise<void> {
  await region.unlockRoom(name, { roomId, holder }, mark).catch(() => undefined)
}
