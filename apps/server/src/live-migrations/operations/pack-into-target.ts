/**
 * Backs a room up straight into the files of its target: the source packs and sends at the same time, and stores
 * nothing. Its size and digest are known only afterwards, so the target gives a ticket for a file of unknown content.
 */
import { because } from '@roomkeeper/contract'
import { NotARegion, type RegionClient, RegionJobFailed, RegionRefusal } from '@roomkeeper/region-protocol'
import { toldByRegion } from '#operations/index.ts'
import { isRegionError, runRegionJob, stopRegionJob } from '#regions/index.ts'
import { addressForSource, hasFailedLately, noteFailure } from './direct-way.ts'
import { connectTo, type MoveCall, movedRoom } from './move-call.ts'
import { type BackupFile, moveJobs, moveSteps } from './move-steps.ts'

/**
 * @returns null when that is not possible, and the room has to be backed up in the source. A source of an earlier
 * version does that by itself: then its file is returned, as one that is not in the target.
 */
export async function packIntoTarget(call: MoveCall, source: RegionClient): Promise<BackupFile | null> {
  if (!call.input.straight || hasFailedLately(call, 'pack')) return null
  const to = await uploadFor(call)
  if (to === null) return null
  const { id: roomId, name: room } = movedRoom(call)
  try {
    const job = { type: 'backupRoom', room, roomId, to, digest: true } as const
    const made = await runRegionJob(call, source, job, moveJobs.straight)
    if (made.file !== to.file) {
      noteFailure(call, 'pack')
      return made
    }
    if (await isInTarget(call, made)) return { ...made, inTarget: true }
  } catch (error) {
    call.signal.throwIfAborted()
    if (!isOfTheWay(error)) throw error
    if (error instanceof RegionJobFailed) {
      noteFailure(call, 'pack', 'send')
      await call.log([toldByRegion(error), because('log-by-way-of-console')], 'warning')
    }
  }
  // It may still be sending: the jobs of a room run one after another.
  await stopRegionJob(call, source, moveJobs.straight)
  return null
}

/** For an undo. Otherwise the target would keep the file for two days. */
export async function removeFromTarget(call: MoveCall): Promise<void> {
  try {
    const target = await connectTo(call, 'target')
    // Without a mark: the undo of the copy has the target refuse the calls of this move.
    await target.deleteFile(fileOf(call))
  } catch (error) {
    call.signal.throwIfAborted()
    if (!isRegionError(error)) throw error
  }
}

/** More than any backup has of a room of this size; a region must not be able to fill the disk of another one. */
const sizeAtMost = (bytes: number) => 2 * bytes + 64 * 1024 * 1024

/** Null: the target gives no ticket for a file of unknown content, or the source would not find the target. */
async function uploadFor(call: MoveCall) {
  const { bytes } = call.output(moveSteps.lockSource)
  const url = bytes === undefined ? null : await addressForSource(call)
  if (bytes === undefined || url === null) return null
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

/** Regions of earlier versions want size and digest. */
function isUnknownForm(error: unknown): boolean {
  return error instanceof RegionRefusal && error.status === 400
}

/** The same in each try, so that a repeated step finds the job that it has started. */
function fileOf({ id, attempt }: MoveCall): string {
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
