/**
 * The locks under which a room moves: on its source from the beginning, on its copy in the target from its creation.
 * A lock expires after a minute, so every step renews it while it works. If a lock expired in between, its `heldSince`
 * has changed, and the room is not switched.
 */
import { because } from '@roomkeeper/contract'
import {
  type CallMark,
  isUnknownToRegion,
  type RegionClient,
  RegionRefusal,
  type RoomInfo,
} from '@roomkeeper/region-protocol'
import { StepFailed } from '#operations/index.ts'
import { whileRenewed } from '#platform/while-renewed.ts'
import { withNextFence } from '#regions/index.ts'
import {
  connectTo,
  holderOf,
  type LockedSource,
  type MoveCall,
  movedRoom,
  moveSteps,
  type Side,
  type TakenLock,
} from './move-call.ts'
import { requireMovable } from './require-movable.ts'

const renewSeconds = 10
/** When this process last renewed each lock, by `<operation>:<side>`. */
const renewedAt = new Map<string, number>()

export async function lockSource(call: MoveCall): Promise<LockedSource> {
  const info = await renew(call, 'source').catch(async (error: unknown) => {
    if (isLockedByAnother(error)) await requireMovable(call, { inSource: 'locked' })
    throw error
  })
  await call.log([because('log-read-only')])
  return { ...lockOf(call, 'source', info), bytes: info.size }
}

/** Undo: the lock may be gone, or never have been taken. */
export async function unlockSource(call: MoveCall): Promise<void> {
  const { id: roomId, name } = movedRoom(call)
  const source = await connectTo(call, 'source')
  // With this last call the source refuses earlier calls that arrive late, such as one that opens the room.
  await unlockAs(source, name, { roomId, holder: holderOf(call) }, withNextFence(call.mark)).catch((error: unknown) => {
    if (!isMissingThere(error)) throw error
  })
}

/** Leaves a lock of another holder in place. @throws RegionRefusal when the region does not have the room */
export async function unlock(call: MoveCall, side: Side): Promise<void> {
  const { id: roomId, name } = movedRoom(call)
  const region = await connectTo(call, side)
  await unlockAs(region, name, { roomId, holder: holderOf(call) }, call.mark)
}

/** The same, for operations that follow a move. */
export async function unlockAs(
  region: RegionClient,
  name: string,
  own: { roomId: string; holder: string },
  mark: CallMark,
): Promise<void> {
  await region.unlockRoom(name, own, mark).catch((error: unknown) => {
    if (!isLockedByAnother(error)) throw error
  })
}

/** The lock that was created with the copy; if that has expired, because the copy is older, a new one is taken. */
export async function lockOfCopy(call: MoveCall, made: RoomInfo): Promise<TakenLock> {
  return lockOf(call, 'target', made.lock === null ? await renew(call, 'target') : made)
}

function lockOf(call: MoveCall, side: Side, info: RoomInfo): TakenLock {
  if (info.lock === null) throw new StepFailed(because(`${side}-not-locked`))
  noteRenewed(call, side)
  return { heldSince: info.lock.heldSince }
}

/** Renews the locks of these sides while the work lasts. */
export async function whileLocked<T>(call: MoveCall, sides: readonly Side[], work: () => Promise<T>): Promise<T> {
  const due = sides.filter((side) => isDue(renewedAt.get(keyOf(call, side)) ?? Number.NEGATIVE_INFINITY))
  await Promise.all(due.map((side) => renew(call, side)))
  // Each side by itself: a region that does not answer must not keep the other side's lock from being renewed.
  const renewing = sides.reduce(
    (during, side) => () => whileRenewed(() => renew(call, side), renewSeconds * 1000, during),
    work,
  )
  return renewing()
}

/** Renews both locks and checks that they were held without a gap. @throws StepFailed when there was one */
export async function confirmLocks(call: MoveCall): Promise<void> {
  await Promise.all([confirmLock(call, 'source'), confirmLock(call, 'target')])
}

/** Renews one lock and checks that it was held without a gap. @throws StepFailed when there was one */
export async function confirmLock(call: MoveCall, side: Side): Promise<void> {
  requireUnbrokenLock(call, side, await renew(call, side))
}

/**
 * Checks the lock in a region's answer; one without `heldSince` does not count.
 * @throws StepFailed when it is not the lock that the move has taken
 */
export function requireUnbrokenLock(call: MoveCall, side: Side, { lock }: RoomInfo): void {
  const { heldSince } = call.output(side === 'source' ? moveSteps.lockSource : moveSteps.createCopy)
  if (lock?.heldSince === heldSince) return
  throw new StepFailed(because(`${side}-lock-gap`))
}

async function renew(call: MoveCall, side: Side): Promise<RoomInfo> {
  const { id: roomId, name } = movedRoom(call)
  const region = await connectTo(call, side)
  const info = await region.lockRoom(name, { roomId, holder: holderOf(call) }, call.mark)
  noteRenewed(call, side)
  return info
}

/** Removes the entries that are due for renewal, so that ended moves leave none behind. */
function noteRenewed(call: MoveCall, side: Side): void {
  for (const [key, at] of renewedAt) if (isDue(at)) renewedAt.delete(key)
  renewedAt.set(keyOf(call, side), performance.now())
}

const isDue = (renewed: number) => performance.now() - renewed > renewSeconds * 1000

/** The region has no room of this name, or another room. */
export function isMissingThere(error: unknown): boolean {
  if (isUnknownToRegion(error)) return true
  return error instanceof RegionRefusal && error.type === 'urn:roomkeeper-region:room-differs'
}

export function isLockedByAnother(error: unknown): boolean {
  return error instanceof RegionRefusal && error.type === 'urn:roomkeeper-region:locked-by-another'
}

function keyOf(call: MoveCall, side: Side): string {
  return `${call.id}:${side}`
}
