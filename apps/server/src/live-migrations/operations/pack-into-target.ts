/**
 * Backs a room up straight into the files of its target: the source packs and sends at the same time, and stores
 * nothing. Its size and digest are known only afterwards, so the target gives a ticket for a file of unknown content.
 */
import { because } from '@roomkeeper/contract'
import {
  type CallMark,
  NotARegion,
  type RegionClient,
  RegionJobFailed,
  RegionRefusal,
  type UploadAddress,
} from '@roomkeeper/region-protocol'
import { toldByRegion } from '#operations/index.ts'
import { isRegionError, runRegionJob, stopRegionJob } from '#regions/index.ts'
import { addressForSource, hasFailedLately, noteFailure } from './direct-way.ts'
import { connectTo, type MoveCall, movedRoom } from './move-call.ts'
import { type BackupFile, moveJobs, moveSteps } from './move-steps.ts'

/**
 * @returns null when that is not possible, and the room has to be backed up in the source. A source that
 * does not know of this does so by itself: then its file is returned, as one that is not in the target.
 */
export async function packIntoTarget(call: MoveCall, source: RegionClient): Promise<BackupFile | null> {
  if (hasFailedLately(call, 'pack')) return null
  const to = await uploadFor(call)
  if (to === null) return null
  const made = await packTo(call, source, to)
  if (made?.inTarget) return made
  noteFailure(call, 'pack')
  // First, and whatever the source says or does not: without a ticket it can send nothing more.
  await removeFromTarget(call, call.mark)
  // It may still be sending: the jobs of a room run one after another.
  if (made === null) await stopRegionJob(call, source, moveJobs.straight)
  return made
}

async function packTo(call: MoveCall, source: RegionClient, to: UploadAddress): Promise<BackupFile | null> {
  const { id: roomId, name: room } = movedRoom(call)
  try {
    const job = { type: 'backupRoom', room, roomId, to, digest: true } as const
    const made = await runRegionJob(call, source, job, moveJobs.straight)
    if (made.file !== to.file) return made
    return (await isInTarget(call, made)) ? { ...made, inTarget: true } : null
  } catch (error) {
    call.signal.throwIfAborted()
    if (!isOfTheWay(error)) throw error
    if (error instanceof RegionJobFailed) {
      noteFailure(call, 'send')
      await call.log([toldByRegion(error), because('log-by-way-of-console')], 'warning')
    }
    return null
  }
}

/**
 * Removes what was packed straight into the target, and ends its tickets and an upload that is under way; otherwise the
 * target would keep the file for two days. A target that does not answer fails nothing.
 * @param mark none in an undo: that of the copy has the target refuse the calls of this move
 */
export async function removeFromTarget(call: MoveCall, mark?: CallMark): Promise<void> {
  try {
    for (const file of straightFilesOf(call)) await (await connectTo(call, 'target')).deleteFile(file, mark)
  } catch (error) {
    call.signal.throwIfAborted()
    if (!isRegionError(error)) throw error
  }
}

/** The files that this move may have packed straight into the target. */
export function straightFilesOf({ id, attempt }: MoveCall): string[] {
  return Array.from({ length: attempt }, (_, before) => fileOf({ id, attempt: attempt - before }))
}

/**
 * More than any backup has of a room of this size, which only the source tells: a source that is mistaken or lies gets a
 * ticket for as much as the target has space for, and no longer than the move lasts.
 */
const sizeAtMost = (bytes: number) => 2 * bytes + 64 * 1024 * 1024

/** Null: the target gives no ticket for a file of unknown content, or the source would not find the target. */
async function uploadFor(call: MoveCall): Promise<UploadAddress | null> {
  const { bytes } = call.output(moveSteps.lockSource)
  const url = await addressForSource(call)
  if (url === null) return null
  const file = fileOf(call)
  try {
    const target = await connectTo(call, 'target')
    const opened = await target.openUpload(file, { sizeAtMost: sizeAtMost(bytes) }, call.mark)
    if (opened !== null) return { url, file, ticket: opened.ticket }
    noteFailure(call, 'pack')
  } catch (error) {
    call.signal.throwIfAborted()
    // A target that does not answer is waited for by the steps that need it.
    if (!isRegionError(error)) throw error
    if (isUnknownForm(error)) noteFailure(call, 'pack')
  }
  return null
}

/** Other regions want size and digest. */
function isUnknownForm(error: unknown): boolean {
  return error instanceof RegionRefusal && error.status === 400
}

/** The same in each try, so that a repeated step finds the job that it has started. */
function fileOf({ id, attempt }: Pick<MoveCall, 'id' | 'attempt'>): string {
  return `${id}-${attempt}-straight`
}

/** The source alone does not decide that: what is not there could not be restored. */
async function isInTarget(call: MoveCall, { file, size, sha256 }: BackupFile): Promise<boolean> {
  const target = await connectTo(call, 'target')
  return (await target.openUpload(file, { size, sha256 }, call.mark))?.complete === true
}

/** Whether another way may succeed. A source that does not answer is no reason: it may be sending, and is found again. */
function isOfTheWay(error: unknown): error is RegionJobFailed | RegionRefusal | NotARegion {
  if (error instanceof RegionJobFailed) return error.type === 'urn:roomkeeper-region:file-not-sent'
  return error instanceof RegionRefusal || error instanceof NotARegion
}
