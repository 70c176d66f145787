/** Creates the copy in the target, fills it with a backup of the source, and compares it with the source. */
import { because } from '@roomkeeper/contract'
import { RegionJobFailed, RegionRefusal } from '@roomkeeper/region-protocol'
import { type OperationRecord, StepFailed, toldByRegion } from '#operations/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { announce } from '#platform/events.ts'
import { isRegionError, runRegionJob, stopRegionJob } from '#regions/index.ts'
import { creationOf, findRoomOfSteps } from '#rooms/index.ts'
import { bringFile } from './bring-file.ts'
import { confirmLock, lockOfCopy, whileLocked } from './hold-locks.ts'
import { connectTo, holderOf, type MoveCall, type MoveInput, movedRoom } from './move-call.ts'
import { type BackupFile, type Comparison, moveJobs, moveSteps, type Restored, type TakenLock } from './move-steps.ts'
import { packIntoTarget, removeFromTarget } from './pack-into-target.ts'
import { refuseEarlier } from './refuse-earlier.ts'
import { requireMovable } from './require-movable.ts'

export function backUp(call: MoveCall): Promise<BackupFile> {
  return whileLocked(call, ['source'], async () => {
    const { id: roomId, name: room } = movedRoom(call)
    const source = await connectTo(call, 'source')
    const straight = await packIntoTarget(call, source)
    return straight ?? runRegionJob(call, source, { type: 'backupRoom', room, roomId }, moveJobs.backup)
  })
}

export async function stopBackup(call: MoveCall): Promise<void> {
  // First, and whatever the source says: without a ticket it can send nothing more.
  await removeFromTarget(call)
  const source = await connectTo(call, 'source')
  await stopRegionJob(call, source, moveJobs.straight)
  await stopRegionJob(call, source, moveJobs.send)
  await stopRegionJob(call, source, moveJobs.backup)
}

/** The copy is suspended and locked. Another room of the same name in the target is never touched. */
export function createCopy(call: MoveCall): Promise<TakenLock> {
  return whileLocked(call, ['source'], async () => {
    const target = await connectTo(call, 'target')
    await refuseEarlier(call, target)
    const made = await target
      .createRoom(call.roomName, await creationOfCopy(call.services.db, call), call.mark)
      .catch(async (error) => {
        if (!(error instanceof RegionRefusal)) throw error
        if (error.type === 'urn:roomkeeper-region:room-differs') await requireMovable(call, { inTarget: 'other-room' })
        if (error.type !== 'urn:roomkeeper-region:room-exists') throw error
        // This move has no copy in the target yet, so only the source can show its lock.
        const found = await target.room(call.roomName)
        if (found?.lock?.holder === holderOf(call)) throw new StepFailed(because('same-server-nothing-to-move'))
        await requireMovable(call, { inTarget: 'left-copy' })
        throw error
      })
    await call.log([because('log-created-locked')])
    return lockOfCopy(call, made)
  })
}

/** Locked, and suspended too: a lock that nobody can renew expires, and the copy may have to be removed again. */
export async function creationOfCopy(db: Db | Tx, record: OperationRecord<MoveInput>) {
  const room = await findRoomOfSteps(db, movedRoom(record).id)
  return { ...creationOf(room), state: 'suspended' as const, lockHolder: holderOf(record) }
}

/** Where the backup came with its digest, the target compares before the copy takes its content. */
export function restoreCopy(call: MoveCall): Promise<Restored> {
  return whileLocked(call, ['source', 'target'], async () => {
    const [source, target] = await Promise.all([connectTo(call, 'source'), connectTo(call, 'target')])
    const backup = call.output(moveSteps.backUp)
    if (!backup.inTarget) await bringFile(call, { source, target }, backup)
    await recordArrival(call, backup.size)
    // The digest is that of the source as long as nobody can have written there since.
    if (backup.digest !== undefined) await confirmLock(call, 'source')
    const { id: roomId, name: room } = movedRoom(call)
    const { file, digest: expectedDigest } = backup
    const job = { type: 'restoreRoom', room, roomId, holder: holderOf(call), file, expectedDigest } as const
    const { digest } = await runRegionJob(call, target, job, moveJobs.restore).catch((error: unknown) => {
      if (error instanceof RegionJobFailed && error.type === 'urn:roomkeeper-region:content-differs')
        throw new StepFailed(because('copy-not-equal'))
      throw error
    })
    return { digest }
  })
}

/** Spares the removal of the copy from waiting. If the target is unreachable, the removal still takes place, later. */
export async function stopRestore(call: MoveCall): Promise<void> {
  try {
    await stopRegionJob(call, await connectTo(call, 'target'), moveJobs.restore)
  } catch (error) {
    call.signal.throwIfAborted()
    if (!isRegionError(error)) throw error
    await call.log([toldByRegion(error)], 'warning')
  }
}

/** For the progress of the run. */
async function recordArrival(call: MoveCall, bytes: number): Promise<void> {
  const { runId, migrationId } = call.input
  await call.transaction(async (tx) => {
    const noted = await queryRows(
      tx,
      `update operation_items set bytes = $3, bytes_at = now()
        where parent_id = $1 and room_id = $2 and bytes is null returning 1`,
      [runId, movedRoom(call).id, bytes],
    )
    if (noted.length > 0 && migrationId !== null) await announce(tx, { type: 'migration', id: migrationId })
  })
}

/**
 * Compares what both regions hold, not what was sent. A target that compared what it restored with the digest of the
 * source has done so already: that the source was locked ever since is checked once more by the switch.
 */
export async function compareCopies(call: MoveCall): Promise<Comparison> {
  const told = call.output(moveSteps.backUp).digest
  const digest = call.output(moveSteps.restore).digest
  if (told === undefined || digest === undefined) return compareAgain(call)
  if (told !== digest) throw new StepFailed(because('copy-not-equal'))
  await call.log([because('log-copies-equal')])
  return { digest }
}

/** For regions that did not tell the digests with the backup and the restore. */
function compareAgain(call: MoveCall): Promise<Comparison> {
  return whileLocked(call, ['source', 'target'], async () => {
    const { id: roomId, name: room } = movedRoom(call)
    const job = { type: 'digestRoom', room, roomId } as const
    const [source, target] = await Promise.all([
      connectTo(call, 'source').then((region) => runRegionJob(call, region, job, moveJobs.source)),
      connectTo(call, 'target').then((region) => runRegionJob(call, region, job, moveJobs.target)),
    ])
    if (source.digest !== target.digest) throw new StepFailed(because('copy-not-equal'))
    await call.log([because('log-copies-equal')])
    return { digest: target.digest }
  })
}
