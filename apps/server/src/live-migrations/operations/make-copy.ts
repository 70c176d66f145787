/** Creates the copy in the target, fills it with the backup of the source, and compares it with the source. */
import { because } from '@roomkeeper/contract'
import { type RegionClient, RegionRefusal } from '@roomkeeper/region-protocol'
import { recordChange } from '#changes/index.ts'
import { type OperationRecord, StepFailed } from '#operations/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { isLongerAgo } from '#platform/steady-time.ts'
import { logFailureOfRegion, refuseCallsOf, runRegionJob, stopRegionJob } from '#regions/index.ts'
import { creationOf, findRoomOfSteps } from '#rooms/index.ts'
import { confirmLock, lockOfCopy, whileLocked } from './hold-locks.ts'
import {
  type Comparison,
  connectTo,
  holderOf,
  type MoveCall,
  type MoveInput,
  movedRoom,
  moveJobs,
  moveSteps,
  type Restored,
  type TakenLock,
} from './move-call.ts'
import { requireMovable } from './require-movable.ts'
import { bringBackup } from './transfer.ts'

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

/**
 * Before a room comes to a region, the region learns to refuse late calls of earlier operations that ended while it was
 * unreachable. One of those calls might delete the copy. How the operations ended does not matter: a move that has left
 * its clean-up to another operation has succeeded.
 */
async function refuseEarlier(call: MoveCall, target: RegionClient): Promise<void> {
  // No call stays on its way for longer than a day.
  const earlier = await queryRows<{ id: string; fence: number }>(call.services.db, earlierOfRoom, [
    call.roomId,
    call.id,
    call.input.targetRegionId,
  ])
  await refuseCallsOf(target, earlier, call.mark)
}

const earlierOfRoom = `with own as (select id, kind, fence, ended_at from operations where room_id = $1 and id <> $2),
          all_of_them as (
            select id, fence, ended_at from own
             union all
            select o.id, o.fence, o.ended_at from operations o join own on own.id = o.parent_id
             where own.kind = 'room.migrate' and o.kind in ('migration.leave-target', 'migration.leave-source')
             union all
            select id, fence, ended_at from operations
             where kind = 'migration.force-delete' and process_type = 'Delete PR' and region_id = $3
               and ended_at is not null and not ${isLongerAgo('ended_at', '1 day')}
          )
     select distinct id, fence from all_of_them
      where ended_at is not null and not ${isLongerAgo('ended_at', '1 day')}`

/** Locked, and suspended too: a lock that is not renewed expires, and the copy may have to be removed again. */
export async function creationOfCopy(db: Db | Tx, record: OperationRecord<MoveInput>) {
  const room = await findRoomOfSteps(db, movedRoom(record).id)
  return { ...creationOf(room), state: 'suspended' as const, lockHolder: holderOf(record) }
}

/**
 * The target reports the digest of what it restored. It is not told the digest of the source, which it could repeat.
 */
export function restoreCopy(call: MoveCall): Promise<Restored> {
  return whileLocked(call, ['source', 'target'], async () => {
    const target = await connectTo(call, 'target')
    const backup = call.output(moveSteps.backUp)
    await bringBackup(call, backup)
    await recordArrival(call, backup.size)
    // The digest still describes the source only if no user can have written there since.
    if (backup.digest !== undefined) await confirmLock(call, 'source')
    const { id: roomId, name: room } = movedRoom(call)
    const holder = holderOf(call)
    // Where the source has not told its digest, both are asked for it afterwards, at the same time.
    const told = backup.digest !== undefined && (await target.offers('digest')) ? { digest: true as const } : {}
    const job = { type: 'restoreRoom', room, roomId, holder, file: backup.file, ...told } as const
    const { digest } = await runRegionJob(call, target, job, moveJobs.restore)
    return { digest }
  })
}

/**
 * Stops the restore, so that the removal of the copy need not wait for it. An unreachable target has its copy removed
 * later.
 */
export async function stopRestore(call: MoveCall): Promise<void> {
  await logFailureOfRegion(call, async () => {
    await stopRegionJob(call, await connectTo(call, 'target'), moveJobs.restore)
  })
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
    if (noted.length > 0) await recordChange(tx, { kind: 'migration.changed', migrationId })
  })
}

/**
 * Compares what both regions hold, not what was sent. That the source was locked ever since its digest was taken is
 * checked once more by the switch.
 */
export async function compareCopies(call: MoveCall): Promise<Comparison> {
  const inSource = call.output(moveSteps.backUp).digest
  const inTarget = call.output(moveSteps.restore).digest
  const [held, holds] =
    inSource !== undefined && inTarget !== undefined
      ? [inSource, inTarget]
      : await whileLocked(call, ['source', 'target'], () =>
          Promise.all([inSource ?? digestIn(call, 'source'), inTarget ?? digestIn(call, 'target')]),
        )
  if (held !== holds) throw new StepFailed(because('copy-not-equal'))
  await call.log([because('log-copies-equal')])
  return { digest: holds }
}

/** For a region that did not tell the digest with the backup or the restore. */
async function digestIn(call: MoveCall, side: 'source' | 'target'): Promise<string> {
  const { id: roomId, name: room } = movedRoom(call)
  const { digest } = await runRegionJob(
    call,
    await connectTo(call, side),
    { type: 'digestRoom', room, roomId },
    moveJobs[side],
  )
  return digest
}
