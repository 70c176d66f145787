/**
 * Moves one room. Until the switch, every step can be undone and the room stays in use in its source. From then on the
 * target holds the room, and the remaining steps are only retried.
 */
import { because, type Reasons } from '@roomkeeper/contract'
import { noUndo, type OperationRecord, operation, stateOfStep, step } from '#operations/index.ts'
import type { Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { changeState } from '#rooms/index.ts'
import { errorCodeOf, lost } from './check-home.ts'
import { lockSource, unlockSource } from './hold-locks.ts'
import { enqueueLeavingSource, leaveSourceOrEnqueue } from './leave-source.ts'
import { enqueueCopyRemoval, undoCopy } from './leave-target.ts'
import { compareCopies, createCopy, restoreCopy, stopRestore } from './make-copy.ts'
import { homeOf, type MoveCall, type MoveInput, movedRoom, moveInput, moveSteps, postponed } from './move-call.ts'
import { enqueueOpening, hasOpenedTarget, openTarget } from './open-target.ts'
import { checkLock, checkSessions } from './require-movable.ts'
import { recordOutcome } from './room-outcome.ts'
import { endSwitched, reopenSource, stillSwitched, switchRoom } from './switch-room.ts'
import { backUp, stopBackup } from './transfer.ts'

const inTarget = { region: (input: MoveInput) => input.targetRegionId }
/** Short, because users cannot write meanwhile. Pauses must stay well below the minute after which a lock expires. */
const retry = { minutes: 5, longestPauseSeconds: 10 }
/** After the switch nothing can be undone, so retries go on without limit. */
const forward = { minutes: Number.POSITIVE_INFINITY }

export const migrateRoom = operation<MoveInput>({
  kind: 'room.migrate',
  version: 1,
  process: null,
  input: moveInput,
  takesSlot: true,
  secondSlot: (input) => input.targetRegionId,
  whenFailed: 'undo',
  worksInDisabledRegion: true,
  managedBy: 'admin',
  steps: [
    {
      id: 'check-lock',
      title: 'check whether the room is locked',
      process: 'Is tenant locked',
      run: checkLock,
      undo: noUndo,
    },
    {
      id: 'check-sessions',
      title: 'check for active sessions',
      process: 'Is active session',
      run: checkSessions,
      undo: noUndo,
    },
    step({ ...moveSteps.lockSource, run: lockSource, undo: unlockSource, retry }),
    step({ ...moveSteps.backUp, process: 'Live migration Backup', run: backUp, undo: stopBackup, retry }),
    step({
      ...moveSteps.createCopy,
      process: 'Live migration Create',
      ...inTarget,
      run: createCopy,
      undo: undoCopy,
      retry,
    }),
    step({
      ...moveSteps.restore,
      process: 'Live migration Restore',
      ...inTarget,
      run: restoreCopy,
      undo: stopRestore,
      retry,
    }),
    step({ ...moveSteps.compare, run: compareCopies, undo: noUndo, retry }),
    step({ ...moveSteps.switch, run: switchRoom, undo: reopenSource, pointOfNoReturn: true, retry }),
    step({ ...moveSteps.open, run: afterTheSwitch(openTarget), undo: noUndo, retry: forward }),
    { ...moveSteps.leave, run: afterTheSwitch(leaveSourceOrEnqueue), undo: noUndo, retry: forward },
  ],
  async done(tx, record) {
    await endSwitched(tx, record)
    await endOpened(tx, record)
    await end(tx, record, 'migrated', null)
  },
  async failed(tx, record, reasons, undone, failureCode, stuck) {
    if (await isSwitched(tx, record)) {
      if (failureCode !== lost) return endAsMoved(tx, record, reasons)
      const change = { from: ['IN_PROGRESS'], to: 'ERROR', error: reasons, errorCode: lost } as const
      await changeState(tx, record.roomId, change, { kind: 'room.work-ended' })
      return end(tx, record, 'migrated', reasons)
    }
    const copyRemains = stuck.some(({ id }) => id === moveSteps.createCopy.id)
    if (!undone && !copyRemains) await enqueueCopyRemoval(tx, record)
    // A copy that remains in the target does no harm; a source that is still suspended keeps its users out.
    const isError = copyRemains || (!undone && (await mayBeClosed(tx, record)))
    const state = isError
      ? { to: 'ERROR' as const, error: reasons, errorCode: errorCodeOf(failureCode) }
      : { to: record.input.before }
    await changeState(tx, record.roomId, { from: ['IN_PROGRESS'], ...state }, { kind: 'room.work-ended' })
    await end(tx, record, undone && failureCode === postponed ? 'postponed' : 'failed', reasons)
  },
  async cancelled(tx, record) {
    // The undo may have found that the target already holds the room: then the move ends as it does after the switch.
    if (await isSwitched(tx, record)) return endAsMoved(tx, record, [because('move-cancelled-too-late')])
    const change = { from: ['IN_PROGRESS'], to: record.input.before } as const
    await changeState(tx, record.roomId, change, { kind: 'room.work-ended' })
    await end(tx, record, 'postponed', [because('move-cancelled')])
  },
  async retrying(tx, record, isFinishingUndo) {
    if (!isFinishingUndo) await requireSwitched(tx, record)
    const change = { from: [record.input.before, 'ERROR'], to: 'IN_PROGRESS' } as const
    const name = await changeState(tx, record.roomId, change, { kind: 'room.work-began' })
    if (name === null)
      throw refuse('wrong-state', { reason: because('room-changed-since-failure', { room: record.roomName }) })
  },
})

function afterTheSwitch<Output>(run: (call: MoveCall) => Promise<Output>) {
  return async (call: MoveCall): Promise<Output> => {
    await stillSwitched(call)
    return run(call)
  }
}

/** If the target could not be opened yet, a separate operation opens it. */
async function endOpened(tx: Tx, record: OperationRecord<MoveInput>): Promise<void> {
  if (!(await hasOpenedTarget(tx, record))) return enqueueOpening(tx, record)
  const change = { from: ['IN_PROGRESS'], to: record.input.before } as const
  await changeState(tx, record.roomId, change, { kind: 'room.work-ended' })
}

/** Ends a move that failed or was cancelled after the switch. */
async function endAsMoved(tx: Tx, record: OperationRecord<MoveInput>, reasons: Reasons): Promise<void> {
  await endOpened(tx, record)
  if ((await stateOfStep(tx, record.id, moveSteps.leave)) !== 'done') await enqueueLeavingSource(tx, record)
  await end(tx, record, 'migrated', reasons)
}

/** Only the steps after the switch can be retried. @throws Refusal */
async function requireSwitched(tx: Tx, record: OperationRecord<MoveInput>): Promise<void> {
  if (!(await isSwitched(tx, record)))
    throw refuse('operation-not-retryable', { reason: because('migrate-room-again') })
  // If the undo recorded the room as moved, a retry would begin with the first step and replace what users work in now.
  if ((await stateOfStep(tx, record.id, moveSteps.switch)) !== 'done')
    throw refuse('operation-not-retryable', { reason: because('room-has-moved') })
}

function end(
  tx: Tx,
  record: OperationRecord<MoveInput>,
  outcome: 'migrated' | 'postponed' | 'failed',
  reasons: Reasons | null,
): Promise<void> {
  const { runId, migrationId } = record.input
  const { id: roomId, name: roomName } = movedRoom(record)
  return recordOutcome(tx, { runId, migrationId, roomId, roomName, outcome, reasons, operationId: record.id })
}

async function isSwitched(tx: Tx, record: OperationRecord<MoveInput>): Promise<boolean> {
  return (await homeOf(tx, record)) === record.input.targetRegionId
}

async function mayBeClosed(tx: Tx, { id, input }: OperationRecord<MoveInput>): Promise<boolean> {
  if (input.before === 'SUSPENDED') return false
  const state = await stateOfStep(tx, id, moveSteps.switch)
  return state !== null && state !== 'open' && state !== 'undone'
}
