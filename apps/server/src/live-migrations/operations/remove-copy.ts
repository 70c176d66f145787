/**
 * Removes the copy that a move made in its target. Only that one, only after the room itself was seen elsewhere, and only
 * while nobody can have worked in the copy: a move that a restored dump or a failover brings back may have ended.
 */
import { randomUUID } from 'node:crypto'
import { type RegionClient, type RoomInfo, roomCreation } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { NotYet, type StepCall, StepFailed } from '#operations/index.ts'
import {
  beginRemoval,
  type CopyToHold,
  closeHeld,
  findRedirect,
  type JobLimits,
  removeSeen,
  resultOfJob,
  runRegionJob,
  stopRegionJob,
  whileHeld,
} from '#regions/index.ts'
import type { RoomServices } from '#rooms/index.ts'
import { proveCopy } from './prove-copy.ts'
import { type Home, lookElsewhere, mustBeElsewhere, nameOfRegion } from './see-elsewhere.ts'

export const moveJobs = {
  backup: 'backup',
  restore: 'restore',
  remove: 'remove',
  source: 'digest-source',
  target: 'digest-target',
}

/** The copy, and the move that made it. */
export const leftCopy = z.object({
  roomId: z.uuid(),
  targetRegionId: z.int(),
  /** `fence`: its last, above that of every call that made something; those of an earlier version do not say. */
  move: z.object({ id: z.uuid(), attempt: z.int(), fence: z.int().optional() }),
  holder: z.string(),
  /** Those of an earlier version do not say. */
  sourceRegionId: z.int().optional(),
  /** What it was made with: the same creation again is answered, and any other copy refuses it. */
  creation: roomCreation,
})
export type LeftCopy = z.infer<typeof leftCopy>

export type RemovalCall = Pick<
  StepCall<unknown, RoomServices>,
  'id' | 'attempt' | 'roomName' | 'mark' | 'log' | 'progress' | 'signal' | 'services'
>

/**
 * Also when there is none, or one that is not of this move. Afterwards nothing of the move makes another, or removes what
 * comes there later: calls that are still on their way are refused.
 * @returns whether nothing is there any more; else what is there is not of this move
 * @throws StepFailed that asks what to do, when the copy may be the only one or may be in use
 */
export async function removeCopy(call: RemovalCall, copy: LeftCopy, limits: JobLimits = {}): Promise<boolean> {
  const { roomId, targetRegionId: regionId, holder } = copy
  const name = call.roomName
  const target = await call.services.connectRegion(regionId, call.signal)
  // The region learns this call's fence before anything is looked for.
  await stopRegionJob(call, target, moveJobs.restore, limits)
  const removal = await beginRemoval(call, target, moveJobs.remove)
  const proved = await proveCopy(call, target, copy)
  if (proved === 'of others') return false
  if (proved === 'of this move') await closeUnlessNeeded(call, target, copy, limits)
  const wish = { room: name, roomId, holder, seen: proved === 'of this move' }
  const { existed } = await removeSeen(call, target, removal, wish, limits)
  if (existed) await call.log('the copy in the target is removed')
  if ((await target.room(name))?.roomId === roomId) throw new NotYet('The copy in the target is there again.')
  const route = await findRedirect(call.services.db, { roomId, regionId })
  if (route !== null) await target.putRoute(name, route.targetUrl, call.mark)
  return true
}

/** @throws StepFailed; users can go on with what is kept */
async function closeUnlessNeeded(call: RemovalCall, target: RegionClient, copy: LeftCopy, limits: JobLimits) {
  const { roomId, targetRegionId: regionId, holder } = copy
  const name = call.roomName
  const isClosed = copy.creation.state === 'suspended'
  try {
    const elsewhere = await mustBeElsewhere(call, { roomId, name, regionId })
    const held = await mustNotBeInUse(call, target, { ...copy, isClosed }, limits)
    if (elsewhere !== null) await mustNotBeNewer(call, target, copy, elsewhere.home)
    await closeHeld(heldCopy(call, target, copy), held)
  } catch (error) {
    // Where the region does not answer, the lock ends by itself.
    await target.unlockRoom(name, { roomId, holder }, call.mark).catch(() => undefined)
    throw error
  }
}

/**
 * A source whose disk was put back from a backup of before the move has the room, too, but not all that was copied. It
 * does not know then that it was. The copy is held.
 * @throws StepFailed
 */
async function mustNotBeNewer(call: RemovalCall, target: RegionClient, copy: LeftCopy, home: Home): Promise<void> {
  // Where the room has gone on, another move has proved what it holds.
  if (home.regionId !== copy.sourceRegionId) return
  if ((await resultOfJob(copy.move, target, moveJobs.restore)) === null) return
  const source = await call.services.connectRegion(home.regionId, call.signal)
  if ((await resultOfJob(copy.move, source, moveJobs.backup)) !== null) return
  const job = { type: 'digestRoom', room: call.roomName, roomId: copy.roomId } as const
  const name = `digest-left-${randomUUID()}`
  const [holds, has] = [await runRegionJob(call, target, job, name), await runRegionJob(call, source, job, name)]
  if (holds.digest === has.digest) return
  const where = await nameOfRegion(call.services.db, copy.targetRegionId)
  throw new StepFailed(
    `The copy in ${where} may hold what ${home.name} does not: the disk of ${home.name} seems to have been put back from a backup of before the move. The copy is kept, closed for users. When it is not needed, or its content is saved, remove it there and choose Retry.`,
  )
}

export type SourceSight =
  | { is: 'seen' }
  /** `complete`: it was compared with the source, and held the same. */
  | { is: 'missing'; home: Home; copy: 'complete' | 'begun' | 'none' }

/** Whether the source still has the room, and, when it has not, what the target has. */
export async function lookAtSource(call: RemovalCall, copy: LeftCopy): Promise<SourceSight> {
  const { roomId, targetRegionId: regionId } = copy
  const sight = await lookElsewhere(call, { roomId, name: call.roomName, regionId })
  if (sight.is !== 'missing') return { is: 'seen' }
  const target = await call.services.connectRegion(regionId, call.signal)
  const found = await target.room(call.roomName)
  if (found?.roomId !== roomId) return { is: 'missing', home: sight.home, copy: 'none' }
  const source = await call.services.connectRegion(sight.home.regionId, call.signal)
  const held = await comparedDigest(source, copy, moveJobs.source)
  const holds = await comparedDigest(target, copy, moveJobs.target)
  const isComplete = held !== null && held === holds
  return { is: 'missing', home: sight.home, copy: isComplete ? 'complete' : 'begun' }
}

type CopyInTarget = Pick<LeftCopy, 'roomId' | 'targetRegionId' | 'move' | 'holder'> & {
  /** It was made suspended, and is opened only after the room is switched to it. */
  isClosed: boolean
}

/**
 * No room is switched to before it was compared; what differs from then was written by users. The copy is held locked
 * while it is looked at, and afterwards.
 * @throws StepFailed, NotYet
 */
export async function mustNotBeInUse(
  call: RemovalCall,
  target: RegionClient,
  copy: CopyInTarget,
  limits: JobLimits = {},
): Promise<RoomInfo> {
  const compared = await comparedDigest(target, copy, moveJobs.target)
  const held = await whileHeld(heldCopy(call, target, copy), async (found) => {
    await mustNotBeOpen(call, copy, found)
    if (compared === null) return
    const job = { type: 'digestRoom', room: call.roomName, roomId: copy.roomId } as const
    const { digest } = await runRegionJob(call, target, job, `digest-left-${randomUUID()}`, limits)
    if (digest !== compared) throw await isKept(call, copy, 'has been changed since it was compared')
  })
  await mustNotBeOpen(call, copy, held)
  return held
}

/** What was made closed and is open was switched to, whatever this database says. */
async function mustNotBeOpen(call: RemovalCall, copy: CopyInTarget, { state }: RoomInfo): Promise<void> {
  if (copy.isClosed && state === 'active') throw await isKept(call, copy, 'is open for users')
}

/** @param why what was found about the copy */
async function isKept(
  call: Pick<RemovalCall, 'services'>,
  { targetRegionId }: Pick<LeftCopy, 'targetRegionId'>,
  why: string,
): Promise<StepFailed> {
  const where = await nameOfRegion(call.services.db, targetRegionId)
  return new StepFailed(
    `The copy in ${where} ${why}, so it may be in use: it is kept. When it is removed there, or its content is saved, choose Retry.`,
  )
}

function heldCopy(
  call: RemovalCall,
  region: RegionClient,
  { roomId, holder }: Pick<LeftCopy, 'roomId' | 'holder'>,
): CopyToHold {
  return { region, name: call.roomName, roomId, holder, mark: call.mark }
}

const digestResult = z.object({ digest: z.string() })

/** What the region answered when both copies were compared; null when they were not. */
export async function comparedDigest(
  region: RegionClient,
  { move }: Pick<LeftCopy, 'move'>,
  job: string,
): Promise<string | null> {
  const found = digestResult.safeParse(await resultOfJob(move, region, job))
  return found.success ? found.data.digest : null
}
