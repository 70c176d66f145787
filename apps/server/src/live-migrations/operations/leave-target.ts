/**
 * Leaves the target when a move is undone: deletes the abandoned copy. If a region is unreachable, a separate
 * operation keeps trying for up to a week; the room is free meanwhile.
 */

import { because, type CodedReason } from '@roomkeeper/contract'
import { RegionJobFailed } from '@roomkeeper/region-protocol'
import {
  NotYet,
  noUndo,
  type OperationRecord,
  operation,
  type StepCall,
  StepFailed,
  toldByRegion,
} from '#operations/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import {
  isRegionError,
  logFailureOfRegion,
  refuseCallsOf,
  refuseOlderCalls,
  shortLimits,
  startRemoval,
  stopRegionJob,
  withNextFence,
} from '#regions/index.ts'
import { checkHome, nameOfRegion, raiseAlarm } from './check-home.ts'
import { type AbandonedCopy, abandonedCopy, checkSourceOf, digestNow, removeCopy, type SourceCheck } from './copy.ts'
import { retryWhileRegionRefuses, startFollowUp } from './follow-up.ts'
import { isMissingThere } from './hold-locks.ts'
import { creationOfCopy } from './make-copy.ts'
import {
  connectTo,
  holderOf,
  homeOf,
  type MoveCall,
  type MoveInput,
  movedRoom,
  moveJobs,
  moveSteps,
} from './move-call.ts'
import { takeAsMoved } from './switch-room.ts'

export const leaveTarget = operation<AbandonedCopy>({
  kind: 'migration.leave-target',
  version: 1,
  process: 'Delete PR',
  input: abandonedCopy,
  takesSlot: false,
  whenFailed: 'keep',
  managedBy: 'admin',
  steps: [
    {
      id: 'remove-copy',
      title: 'remove the copy from the target',
      undo: stopRemoval,
      temporary: true,
      retry: { minutes: 7 * 24 * 60, longestPauseSeconds: 60 },
      async run(call) {
        await retryWhileRegionRefuses(async () => {
          await refuseCallsOfMove(call)
          await requireHomeElsewhere(call)
          await removeCopy(call, call.input)
          await refuseOlderCalls(await targetOf(call), withNextFence(call.mark))
        })
      },
    },
  ],
  done: noUndo,
  failed: (tx, record, reasons, _, failureCode) =>
    raiseAlarm(tx, { roomId: record.input.roomId, reasons, failureCode }, record),
  cancelled: noUndo,
  async retrying(tx, { roomName, input }) {
    // The start of a move reserves capacity under the same lock, and then checks whether this operation is open.
    await queryRows(tx, 'select from regions where id = $1 for update', [input.targetRegionId])
    const coming = await queryRows(tx, 'select from capacity_reservations where room_id = $1 and region_id = $2', [
      input.roomId,
      input.targetRegionId,
    ])
    if (coming.length > 0)
      throw refuse('operation-not-retryable', { reason: because('room-on-its-way-back', { room: roomName }) })
    if ((await homeOf(tx, input)) === input.targetRegionId)
      throw refuse('operation-not-retryable', { reason: because('room-in-use-there', { room: roomName }) })
  },
})

type LeavingCall = StepCall<AbandonedCopy>

const targetOf = ({ input, services, signal }: LeavingCall) => services.connectRegion(input.targetRegionId, signal)

/**
 * Calls of the move may still be on their way to a region that was frozen or cut off. From now on the region refuses
 * them, so that none creates the copy after the check and none deletes what comes there later.
 */
async function refuseCallsOfMove(call: LeavingCall): Promise<void> {
  const { move } = call.input
  const target = await targetOf(call)
  await refuseCallsOf(target, [{ id: move.id, fence: move.fence }], call.mark)
  // Sent under this operation's mark: if the move was retried, the region knows a higher fence of the move.
  await stopRegionJob({ ...call, id: move.id, attempt: move.attempt }, target, moveJobs.restore)
}

/** Runs before the proof of whose copy it is, because that proof locks the room for its users. @throws StepFailed */
async function requireHomeElsewhere({ input, services }: LeavingCall): Promise<void> {
  if ((await homeOf(services.db, input)) === input.targetRegionId) throw new StepFailed(because('room-back-in-use'))
}

/** Once this operation has ended, its late calls must not delete what a later move has brought to the target. */
async function stopRemoval(call: LeavingCall): Promise<void> {
  await logFailureOfRegion(call, async () => {
    await refuseCallsOf(await targetOf(call), [{ id: call.id, fence: call.mark.fence }], call.mark)
  })
}

/** Undo of the creation in the target. If the source does not have the room, a person has to decide. */
export async function undoCopy(call: MoveCall): Promise<void> {
  // An interrupted undo has recorded the room as moved: the end of the move opens it and cleans up the source.
  if ((await homeOf(call.services.db, call)) === call.input.targetRegionId) return
  const copy = await copyOf(call.services.db, call, call.mark.fence)
  try {
    const target = await connectTo(call, 'target')
    // Late calls of an earlier try must not change anything while the checks below decide.
    await startRemoval(call, target, moveJobs.remove)
    const source = await checkSourceOf(call, copy)
    if (source.is === 'missing') await endWithoutSource(call, source)
    else if (await removeCopy(call, copy, shortLimits)) await refuseOlderCalls(target, withNextFence(call.mark))
  } catch (error) {
    call.signal.throwIfAborted()
    if (!isRegionError(error)) throw error
    await requireSource(call, toldByRegion(error))
    await call.log([toldByRegion(error), because('log-copy-removed-later')], 'warning')
    await call.transaction((tx) => enqueueLeavingTarget(tx, call, copy))
  }
}

/**
 * If the target does not answer and its copy may be the room, the removal is not left to another operation: only this
 * move can record the room as moved.
 * @throws NotYet
 */
async function requireSource(call: MoveCall, targetFailure: CodedReason): Promise<void> {
  const { id: roomId, name } = movedRoom(call)
  const { targetRegionId: regionId } = call.input
  const check = await checkHome(call, { roomId, name, regionId }).catch((error: unknown) => {
    call.signal.throwIfAborted()
    if (!isRegionError(error)) throw error
    return null
  })
  if (check?.is !== 'missing') return
  const where = await nameOfRegion(call.services.db, regionId)
  throw new NotYet([
    because('source-missing', { source: check.home.name, target: where }),
    targetFailure,
    because('retry-when-region-answers', { region: where }),
  ])
}

async function copyOf(db: Db | Tx, record: OperationRecord<MoveInput>, fence: number): Promise<AbandonedCopy> {
  return {
    roomId: movedRoom(record).id,
    targetRegionId: record.input.targetRegionId,
    move: { id: record.id, attempt: record.attempt, fence },
    holder: holderOf(record),
    sourceRegionId: record.input.sourceRegionId,
    creation: await creationOfCopy(db, record),
  }
}

/** For a move that ends without having deleted its copy. The operation first proves that no user works in the copy. */
export async function enqueueCopyRemoval(tx: Tx, record: OperationRecord<MoveInput>): Promise<void> {
  const [made] = await queryRows<{ fence: number }>(
    tx,
    `select o.fence from operations o join operation_steps s on s.operation_id = o.id
      where o.id = $1 and s.step_id = $2 and s.state not in ('open', 'undone')`,
    [record.id, moveSteps.createCopy.id],
  )
  if (made !== undefined) await enqueueLeavingTarget(tx, record, await copyOf(tx, record, made.fence))
}

/**
 * Most likely the move had ended and this database was restored from an older dump. An operator has to check that and
 * choose Retry.
 * @throws StepFailed until an operator has done so
 */
async function endWithoutSource(call: MoveCall, source: SourceCheck & { is: 'missing' }): Promise<void> {
  const isTaken = call.attempt > 1 && source.copy === 'complete'
  if (isTaken && (await staysInTarget(call))) {
    await takeAsMoved(call)
    return call.log([because('log-taken-as-moved')], 'warning')
  }
  const { name: from } = source.home
  const to = await nameOfRegion(call.services.db, call.input.targetRegionId)
  const found = whatWasFound[isTaken ? 'none' : source.copy]
  throw new StepFailed([because(found, { source: from, target: to }), because('nothing-removed')])
}

/** A region runs the jobs of a room in order: after this job, every removal that it accepted earlier is done. */
async function staysInTarget(call: MoveCall): Promise<boolean> {
  const room = movedRoom(call)
  const target = await connectTo(call, 'target')
  const has = async () => (await target.room(room.name))?.roomId === room.id
  try {
    await digestNow(call, target, room)
  } catch (error) {
    call.signal.throwIfAborted()
    if (!(error instanceof RegionJobFailed || isMissingThere(error)) || (await has())) throw error
  }
  return has()
}

const whatWasFound = {
  complete: 'perhaps-moved',
  begun: 'copy-perhaps-not-whole',
  none: 'neither-has-room',
} as const

async function enqueueLeavingTarget(tx: Tx, record: OperationRecord<MoveInput>, copy: AbandonedCopy): Promise<void> {
  const parts = { input: copy, room: null, subject: record.roomName, regionId: copy.targetRegionId }
  await startFollowUp(tx, record, leaveTarget, parts)
}
