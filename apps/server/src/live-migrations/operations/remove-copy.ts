/**
 * Deletes the copy that a move made in its target. Only that copy, only after the room itself was found in another
 * region, and only if nobody can have worked in the copy: after a restored dump or a failover, a move that the database
 * calls unfinished may in fact have ended.
 */

import { randomUUID } from 'node:crypto'
import { because } from '@roomkeeper/contract'
import type { RegionClient, RoomInfo } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { NotYet, StepFailed } from '#operations/index.ts'
import {
  type CopyToLock,
  copyToLock,
  findRedirect,
  type JobLimits,
  releaseCopy,
  removeCheckedCopy,
  resultOfJob,
  runRegionJob,
  startRemoval,
  stopRegionJob,
  withCopyLocked,
} from '#regions/index.ts'
import type { AbandonedCopy, RemovalCall } from './abandoned-copy.ts'
import { checkHome, type Home, nameOfRegion, requireHome } from './check-home.ts'
import { moveJobs } from './move-steps.ts'
import { proveCopy } from './prove-copy.ts'

/**
 * Also succeeds if the target has no copy, or only one that is not of this move. Afterwards late calls of the move are
 * refused, so that they neither create another copy nor delete what comes there later.
 * @returns true if the target has no copy now; false if the one that it has is not of this move
 * @throws StepFailed when the copy may be the only one or may be in use; its text says what a person can do
 */
export async function removeCopy(call: RemovalCall, copy: AbandonedCopy, limits: JobLimits = {}): Promise<boolean> {
  const { roomId, targetRegionId: regionId, holder } = copy
  const name = call.roomName
  const target = await call.services.connectRegion(regionId, call.signal)
  // The region learns this call's fence before anything is checked.
  await stopRegionJob(call, target, moveJobs.restore, limits)
  const removal = await startRemoval(call, target, moveJobs.remove)
  const proved = await proveCopy(call, target, copy)
  if (proved === 'of others') return false
  if (proved === 'of this move') await lockUnlessNeeded(call, target, copy, limits)
  const request = { room: name, roomId, holder, isListed: proved === 'of this move' }
  const { existed } = await removeCheckedCopy(call, target, removal, request, limits)
  if (existed) await call.log([because('log-copy-removed')])
  if ((await target.room(name))?.roomId === roomId) throw new NotYet(because('copy-back'))
  const route = await findRedirect(call.services.db, { roomId, regionId })
  if (route !== null) await target.putRoute(name, route.targetUrl, call.mark)
  return true
}

/** @throws StepFailed when the copy is kept; then it is unlocked for its users */
async function lockUnlessNeeded(call: RemovalCall, target: RegionClient, copy: AbandonedCopy, limits: JobLimits) {
  const { roomId, targetRegionId: regionId } = copy
  const name = call.roomName
  const own = copyToLock(call, { region: target, name, roomId, holder: copy.holder })
  try {
    const room = await requireHome(call, { roomId, name, regionId })
    await requireUnused(call, own, copy, limits)
    if (room !== null) await mustNotBeNewer(call, target, copy, room.home)
  } catch (error) {
    await releaseCopy(own)
    throw error
  }
}

/**
 * A source whose disk was put back from an older backup has the room, but not all that was copied, and no record of the
 * move's backup. Then the copy is kept.
 * @throws StepFailed
 */
async function mustNotBeNewer(call: RemovalCall, target: RegionClient, copy: AbandonedCopy, home: Home): Promise<void> {
  // When the room has moved on, another move has proved what it holds.
  if (home.regionId !== copy.sourceRegionId) return
  if ((await resultOfJob(copy.move, target, moveJobs.restore)) === null) return
  const source = await call.services.connectRegion(home.regionId, call.signal)
  for (const job of [moveJobs.direct, moveJobs.backup]) if ((await resultOfJob(copy.move, source, job)) !== null) return
  const job = { type: 'digestRoom', room: call.roomName, roomId: copy.roomId } as const
  const name = `digest-left-${randomUUID()}`
  const [holds, has] = [await runRegionJob(call, target, job, name), await runRegionJob(call, source, job, name)]
  if (holds.digest === has.digest) return
  const where = await nameOfRegion(call.services.db, copy.targetRegionId)
  throw new StepFailed(because('copy-perhaps-newer', { copyIn: where, region: home.name }))
}

export type SourceCheck =
  | { is: 'seen' }
  /** `complete`: the copy was compared with the source and held the same. */
  | { is: 'missing'; home: Home; copy: 'complete' | 'begun' | 'none' }

/** Whether the source still has the room, and if not, what the target has. */
export async function checkSourceOf(call: RemovalCall, copy: AbandonedCopy): Promise<SourceCheck> {
  const { roomId, targetRegionId: regionId } = copy
  const check = await checkHome(call, { roomId, name: call.roomName, regionId })
  if (check.is !== 'missing') return { is: 'seen' }
  const target = await call.services.connectRegion(regionId, call.signal)
  const found = await target.room(call.roomName)
  if (found?.roomId !== roomId) return { is: 'missing', home: check.home, copy: 'none' }
  const source = await call.services.connectRegion(check.home.regionId, call.signal)
  const held = await toldDigest(source, copy, [moveJobs.direct, moveJobs.source])
  const holds = await comparedDigest(target, copy)
  const isComplete = held !== null && held === holds
  return { is: 'missing', home: check.home, copy: isComplete ? 'complete' : 'begun' }
}

type MoveAttempt = Pick<AbandonedCopy['move'], 'id' | 'attempt'>

/**
 * Proves that no user has worked in the copy. Users get in only after the switch, which comes after the comparison: if
 * the content has changed since the comparison, users changed it. The copy is locked for the check and stays locked; if
 * the check fails, it is unlocked.
 * @param own only with it can the lock be released: the region refuses a release with the fence of an earlier lock
 * @throws StepFailed, NotYet
 */
export async function requireUnused(
  call: RemovalCall,
  own: CopyToLock,
  copy: Pick<AbandonedCopy, 'roomId' | 'targetRegionId'> & { move: MoveAttempt },
  limits: JobLimits = {},
): Promise<void> {
  const target = own.region
  const compared = await comparedDigest(target, copy)
  const held = await withCopyLocked(own, async (found) => {
    await requireClosed(call, copy, found)
    if (compared === null) return
    const job = { type: 'digestRoom', room: call.roomName, roomId: copy.roomId } as const
    const { digest } = await runRegionJob(call, target, job, `digest-left-${randomUUID()}`, limits)
    if (digest !== compared) throw await keptCopy(call, copy, 'copy-changed')
  })
  try {
    await requireClosed(call, copy, held)
  } catch (error) {
    await releaseCopy(own)
    throw error
  }
}

/** A copy is created suspended: if it is open now, the room was switched to it, whatever this database says. */
async function requireClosed(
  call: RemovalCall,
  copy: Pick<AbandonedCopy, 'targetRegionId'>,
  { state }: RoomInfo,
): Promise<void> {
  if (state === 'active') throw await keptCopy(call, copy, 'copy-open')
}

/** @param why what was found about the copy */
async function keptCopy(
  call: Pick<RemovalCall, 'services'>,
  { targetRegionId }: Pick<AbandonedCopy, 'targetRegionId'>,
  why: 'copy-open' | 'copy-changed',
): Promise<StepFailed> {
  const where = await nameOfRegion(call.services.db, targetRegionId)
  return new StepFailed(because(why, { copyIn: where }))
}

const digestResult = z.object({ digest: z.string() })

/**
 * The digest of the copy before any user could change it: taken by the target as it restored it, or afterwards. Null if
 * none was taken.
 */
export function comparedDigest(target: RegionClient, copy: { move: MoveAttempt }): Promise<string | null> {
  return toldDigest(target, copy, [moveJobs.restore, moveJobs.target])
}

/** The digest in the result of the first of these jobs that has one. */
async function toldDigest(
  region: RegionClient,
  { move }: { move: MoveAttempt },
  jobs: readonly string[],
): Promise<string | null> {
  for (const job of jobs) {
    const found = digestResult.safeParse(await resultOfJob(move, region, job))
    if (found.success) return found.data.digest
  }
  return null
}
