/**
 * Holds a copy of a room that is to be removed: nobody changes it between the look at what it holds and its removal. Its
 * lock ends by itself, and a region removes a room also when no lock is in force; so what counts is that the lock was
 * held without a gap, and that the copy is suspended at the end, because a suspension lasts.
 */
import {
  type CallMark,
  lockSeconds,
  type RegionClient,
  RegionRefusal,
  type RoomInfo,
} from '@roomkeeper/region-protocol'
import { NotYet } from '#operations/index.ts'

export interface CopyToHold {
  region: RegionClient
  name: string
  roomId: string
  holder: string
  mark: CallMark
}

const renewMilliseconds = (lockSeconds * 1000) / 4

/**
 * The lock stays when the work is done; it is given back when the work fails.
 * @param work is told how the copy is now
 * @returns how it is afterwards
 * @throws NotYet when the lock was gone for a while: it may have been changed
 */
export async function whileHeld(copy: CopyToHold, work: (info: RoomInfo) => Promise<void>): Promise<RoomInfo> {
  const before = await take(copy)
  try {
    await whileRenewed(copy, () => work(before))
    const after = await take(copy)
    mustBeWithoutGap(before, after)
    return after
  } catch (error) {
    await giveBack(copy)
    throw error
  }
}

/**
 * Whatever happens between this and the removal, nobody gets into the copy.
 * @param held what `whileHeld` has answered
 * @throws NotYet when somebody may have got into it since
 */
export async function closeHeld(copy: CopyToHold, held: RoomInfo): Promise<void> {
  if (held.state === 'suspended') return
  const closed = await copy.region.suspendRoom(copy.name, copy.roomId, copy.mark)
  try {
    if (closed.lock === null) throw wasChanged()
    mustBeWithoutGap(held, closed)
  } catch (error) {
    await copy.region.resumeRoom(copy.name, copy.roomId, copy.mark)
    await giveBack(copy)
    throw error
  }
}

/** A large room is read for longer than a lock lasts. */
async function whileRenewed(copy: CopyToHold, work: () => Promise<void>): Promise<void> {
  let renewing: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    // One that fails is tried again; a gap that comes of it is found afterwards.
    renewing = take(copy).catch(() => undefined)
  }, renewMilliseconds)
  try {
    await work()
  } finally {
    clearInterval(timer)
    // None may arrive after the lock was given back.
    await renewing
  }
}

function mustBeWithoutGap(before: RoomInfo, after: RoomInfo): void {
  if (before.lock?.heldSince !== after.lock?.heldSince) throw wasChanged()
}

const wasChanged = () => new NotYet('The lock of the copy was gone for a while: it may have been changed.')

/** A full disk takes no lock; there the copy is only looked at, and one that is open is not closed either. */
async function take({ region, name, roomId, holder, mark }: CopyToHold): Promise<RoomInfo> {
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

/** Where the region does not answer, the lock ends by itself. */
async function giveBack({ region, name, roomId, holder, mark }: CopyToHold): Promise<void> {
  await region.unlockRoom(name, { roomId, holder }, mark).catch(() => undefined)
}
