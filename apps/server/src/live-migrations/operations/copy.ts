/**
 * The copies that a move makes or leaves behind: which move made a copy, whether it holds what was moved, whether users
 * may have worked in it, and how it is removed. The answers of the regions decide: after a restored dump, a failover,
 * or a disk that was put back, what the database or a region has on record may be older than what happened.
 */
import { randomUUID } from 'node:crypto'
import { because } from '@roomkeeper/contract'
import {
  type CallMark,
  insufficientStorage,
  isUnknownToRegion,
  type RegionClient,
  RegionRefusal,
  type RoomCreation,
  type RoomInfo,
  roomCreation,
} from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { NotYet, type OperationRecord, outputOfStep, type StepCall, StepFailed } from '#operations/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { isLongerAgo } from '#platform/steady-time.ts'
import {
  type CopyToLock,
  copyToLock,
  findRedirect,
  type JobLimits,
  markWithOwnFence,
  refuseOlderCalls,
  releaseCopy,
  removeCheckedCopy,
  resultOfJob,
  runRegionJob,
  startRemoval,
  stopRegionJob,
  withCopyLocked,
  withNextFence,
} from '#regions/index.ts'
import { type Copy, checkHome, type Home, nameOfRegion, requireHome, roomIsOlder } from './check-home.ts'
import { isMissingThere } from './hold-locks.ts'
import { type MoveInput, moveJobs, moveSteps } from './move-call.ts'

/** The copy, and the move that made it. */
export const abandonedCopy = z.object({
  roomId: z.uuid(),
  targetRegionId: z.int(),
  /** `fence`: the move's last, above that of every call that made something. */
  move: z.object({ id: z.uuid(), attempt: z.int(), fence: z.int() }),
  holder: z.string(),
  sourceRegionId: z.int(),
  /** The request that created the copy. Repeated, it is accepted for this copy and refused for any other. */
  creation: roomCreation,
})
export type AbandonedCopy = z.infer<typeof abandonedCopy>

export type RemovalCall = Pick<
  StepCall<unknown>,
  'id' | 'attempt' | 'roomName' | 'mark' | 'log' | 'progress' | 'signal' | 'services' | 'transaction'
>

type JobCall = Pick<RemovalCall, 'id' | 'attempt' | 'mark' | 'log' | 'progress' | 'signal'>

/** `of this move`: the copy is then locked by the move. */
type Proved = 'none' | 'of others' | 'of this move'

/**
 * Proves which move made a copy in a target by repeating the call that made it: the region accepts the repetition for
 * that copy and refuses it for any other. Where there is no copy, however, the call creates one. So it is repeated only
 * - for a copy that is locked, because a region deletes no room that another holder has locked, and
 * - under a separate fence, which is raised before each repetition and after each answer, so that a call whose answer
 *   was lost is refused if it arrives late.
 */
async function proveCopy(call: RemovalCall, target: RegionClient, copy: AbandonedCopy): Promise<Proved> {
  const mark = markWithOwnFence(call, 'questions')
  await refuseOlderCalls(target, mark)
  const locked = await lockCopy(call, target, copy, mark)
  if (locked === 'none' || locked === 'of others') return locked
  try {
    await target.createRoom(call.roomName, copy.creation as RoomCreation, mark)
    return 'of this move'
  } catch (error) {
    // Any other refusal, such as one for a newer fence, proves nothing.
    if (!(error instanceof RegionRefusal && ofOthers.has(error.type))) throw error
    await target.unlockRoom(call.roomName, { roomId: copy.roomId, holder: copy.holder }, call.mark)
    return 'of others'
  } finally {
    await refuseOlderCalls(target, withNextFence(mark)).catch(() => undefined)
  }
}

const ofOthers = new Set(['urn:roomkeeper-region:room-differs', 'urn:roomkeeper-region:room-exists'])

async function lockCopy(
  call: RemovalCall,
  target: RegionClient,
  { roomId, holder }: AbandonedCopy,
  mark: CallMark,
): Promise<RoomInfo | 'none' | 'of others'> {
  try {
    return await target.lockRoom(call.roomName, { roomId, holder }, mark)
  } catch (error) {
    // A full disk takes no lock, but no new room either; and this copy may be what fills the disk.
    if (error instanceof RegionRefusal && error.status === insufficientStorage)
      return findCopy(target, call.roomName, roomId)
    if (!isMissingThere(error)) throw error
    return isUnknownToRegion(error) ? 'none' : 'of others'
  }
}

async function findCopy(target: RegionClient, name: string, roomId: string): Promise<RoomInfo | 'none' | 'of others'> {
  const found = await target.room(name)
  if (found === null) return 'none'
  return found.roomId === roomId ? found : 'of others'
}

/** `digest` is that of both copies when the move compared them; null if the database has no record of it. */
export const moveProof = z.object({ attempt: z.int(), digest: z.string().nullable() })
export type MoveProof = z.infer<typeof moveProof>

export async function proofOf(db: Db | Tx, { id, attempt }: OperationRecord<MoveInput>): Promise<MoveProof> {
  const compared = await outputOfStep(db, id, moveSteps.compare)
  return { attempt, digest: compared?.digest ?? null }
}

/** What a call needs to run jobs and to find the room's region. */
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
 * Proves that a target still holds what a move brought there. A region whose disk was put back from an older backup may
 * have the room too: the copy before it was filled, or the room from an earlier stay. But that region has no record of
 * the comparison in this move. For an open room only the region's record counts, because users have changed the content.
 * @throws StepFailed with the code `lost`; without a code when the record is so old that the region has removed it
 */
export async function requireMovedContent(call: ProofCall, target: RegionClient, moved: Moved): Promise<void> {
  const { move, room } = moved
  const { compared, isKnown } = await recordOf(target, move)
  if (isKnown && !moved.isInDoubt) return
  if (!(await moved.isClosed())) {
    if (isKnown) return
  } else if ((await digestNow(call, target, room)) === (move.digest ?? compared)) return
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
  const text = `select from operations where id = $1 and ${isLongerAgo('created_at', '29 days')}`
  return (await queryRows(services.db, text, [id])).length > 0
}

function noRecord(target: string): StepFailed {
  return new StepFailed(because('no-record-of-move', { target }))
}

const digestResult = z.object({ digest: z.string() })

/**
 * The digest of the copy before any user could change it: taken by the target as it restored it, or afterwards. Null if
 * none was taken.
 */
function comparedDigest(target: RegionClient, copy: { move: MoveAttempt }): Promise<string | null> {
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

type MoveAttempt = Pick<AbandonedCopy['move'], 'id' | 'attempt'>

/** The digest of what a region holds of the room now. */
export async function digestNow(
  call: JobCall,
  region: RegionClient,
  { id: roomId, name: room }: { id: string; name: string },
  limits: JobLimits = {},
): Promise<string> {
  const job = { type: 'digestRoom', room, roomId } as const
  return (await runRegionJob(call, region, job, `digest-taken-${randomUUID()}`, limits)).digest
}

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
    const digest = await digestNow(call, target, { id: copy.roomId, name: call.roomName }, limits)
    if (digest !== compared) throw await keptCopy(call, copy, 'copy-changed')
  })
  try {
    await requireClosed(call, copy, held)
  } catch (error) {
    await releaseCopy(own)
    throw error
  }
}

/**
 * A copy is created suspended: if it is open now, the room was switched to it, even if this database says otherwise.
 */
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

/**
 * Deletes the copy that this move made in its target, if the room itself was found in another region and no user can
 * have worked in the copy. Also succeeds if the target has no copy, or only one of another move. Afterwards the target
 * refuses late calls of the move, so that they neither create a copy nor delete what comes there later.
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
  const room = { id: copy.roomId, name: call.roomName }
  if ((await digestNow(call, target, room)) === (await digestNow(call, source, room))) return
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
