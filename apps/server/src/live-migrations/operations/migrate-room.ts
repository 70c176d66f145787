/**
 * Moves one room. Until the switch everything can be undone and the room goes on in its source; after it the room is
 * the one in the target, and what is left to do is only tried again.
 */
import { because } from '@roomkeeper/contract'
import { nothing, type Operation, type OperationRecord, operation, ourMistake, type Step } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { changeState, type RoomServices } from '#rooms/index.ts'
import { checkLock, checkSessions } from './check-source.ts'
import { backUp, backupStep, compareCopies, createCopy, restoreCopy, stopBackup, stopRestore } from './copy-room.ts'
import { createStep, lockSource, lockStep, unlockSource } from './hold-locks.ts'
import { leaveOrHandOver, leaveSourceLater } from './leave-source.ts'
import { leaveCopy, undoCopy } from './leave-target.ts'
import { homeOf, type MoveCall, type MoveInput, movedRoom, moveInput, postponed } from './move-call.ts'
import { isOpen, leaveOpening, openStep, openTarget } from './open-target.ts'
import { compareStep } from './prove-moved.ts'
import { recordOutcome } from './room-outcome.ts'
import { lost } from './see-elsewhere.ts'
import { endSwitched, reopenSource, stillSwitched, switchRoom, switchStep, unlockTarget } from './switch-room.ts'

const inTarget = { region: (input: MoveInput) => input.targetRegionId }
/** Users cannot write meanwhile; and pauses stay well below the minute after which a lock ends. */
const retry = { minutes: 5, longestPauseSeconds: 10 }
/** After the switch there is no way back. */
const forward = { minutes: Number.POSITIVE_INFINITY }

const leaveStep = 'leave the source'

const untilTheSwitch: readonly Step<MoveInput, RoomServices>[] = [
  { name: 'check whether the room is locked', process: 'Is tenant locked', run: checkLock, undo: nothing },
  { name: 'check for active sessions', process: 'Is active session', run: checkSessions, undo: nothing },
  { name: lockStep, run: lockSource, undo: unlockSource, retry },
  { name: backupStep, process: 'Live migration Backup', run: backUp, undo: stopBackup, retry },
  { name: createStep, process: 'Live migration Create', ...inTarget, run: createCopy, undo: undoCopy, retry },
  {
    name: 'restore the room in the target',
    process: 'Live migration Restore',
    ...inTarget,
    run: restoreCopy,
    undo: stopRestore,
    retry,
  },
  { name: compareStep, run: compareCopies, undo: nothing, retry },
  { name: switchStep, run: switchRoom, undo: reopenSource, pointOfNoReturn: true, retry },
]

const common: Omit<Operation<MoveInput, RoomServices>, 'version' | 'steps'> = {
  kind: 'room.migrate',
  process: null,
  input: moveInput,
  takesPlace: true,
  secondPlace: (input) => input.targetRegionId,
  whenFailed: 'undo',
  managedBy: 'admin',
  async done(tx, record) {
    await endSwitched(tx, record)
    await endOpened(tx, record)
    await end(tx, record, 'migrated', null)
  },
  async failed(tx, record, reason, undone, sort) {
    if (await isSwitched(tx, record)) {
      if (sort !== lost) return endAsMoved(tx, record, reason)
      await changeState(tx, record.roomId, { from: ['IN_PROGRESS'], to: 'ERROR', error: reason })
      return end(tx, record, 'migrated', reason)
    }
    const question = undone ? null : await toldByUndo(tx, record, createStep)
    if (!undone && question === null) await leaveCopy(tx, record)
    const told = question ?? (undone ? null : await toldByUndo(tx, record, switchStep))
    const why = told === null ? reason : `${reason} ${told}`
    // A copy that is left in the target harms nobody; a source that is still suspended does.
    const isError = question !== null || (!undone && (await mayBeClosed(tx, record)))
    const state = isError ? { to: 'ERROR' as const, error: why } : { to: record.input.before }
    await changeState(tx, record.roomId, { from: ['IN_PROGRESS'], ...state })
    await end(tx, record, undone && sort === postponed ? 'postponed' : 'failed', why)
  },
  async cancelled(tx, record) {
    // What was undone may have been found to be the room: then it is as after the switch.
    if (await isSwitched(tx, record))
      return endAsMoved(tx, record, 'The move was cancelled when the project room was in the target already.')
    await changeState(tx, record.roomId, { from: ['IN_PROGRESS'], to: record.input.before })
    await end(tx, record, 'postponed', 'The move was cancelled.')
  },
  async retrying(tx, record, puttingBack) {
    if (!puttingBack) await mustHaveSwitched(tx, record)
    const name = await changeState(tx, record.roomId, { from: [record.input.before, 'ERROR'], to: 'IN_PROGRESS' })
    if (name === null)
      throw refuse('wrong-state', { reason: because('room-changed-since-failure', { room: record.roomName }) })
  },
}

export const migrateRoom = operation<MoveInput, RoomServices>({
  ...common,
  version: 2,
  steps: [
    ...untilTheSwitch,
    { name: openStep, run: afterTheSwitch(openTarget), undo: nothing, retry: forward },
    { name: leaveStep, run: afterTheSwitch(leaveOrHandOver), undo: nothing, retry: forward },
  ],
})

/** For what began in it: its copies were closed by their lock only. */
export const migrateRoomBefore = operation<MoveInput, RoomServices>({
  ...common,
  version: 1,
  steps: [
    ...untilTheSwitch,
    { name: 'unlock the room in the target', run: afterTheSwitch(unlockTarget), undo: nothing, retry: forward },
    { name: leaveStep, run: afterTheSwitch(leaveOrHandOver), undo: nothing, retry: forward },
  ],
})

function afterTheSwitch<Output>(run: (call: MoveCall) => Promise<Output>) {
  return async (call: MoveCall): Promise<Output> => {
    await stillSwitched(call)
    return run(call)
  }
}

/** Users who cannot be let in yet wait for an operation of its own. */
async function endOpened(tx: Tx, record: OperationRecord<MoveInput>): Promise<void> {
  if (await isOpen(tx, record)) await changeState(tx, record.roomId, { from: ['IN_PROGRESS'], to: record.input.before })
  else await leaveOpening(tx, record)
}

/** For a move that has switched, and has not come to its end. */
async function endAsMoved(tx: Tx, record: OperationRecord<MoveInput>, reason: string): Promise<void> {
  await endOpened(tx, record)
  if (!(await isDone(tx, record, leaveStep))) await leaveSourceLater(tx, record)
  await end(tx, record, 'migrated', reason)
}

/** Only what comes after the switch is run again. @throws Refusal */
async function mustHaveSwitched(tx: Tx, record: OperationRecord<MoveInput>): Promise<void> {
  if (!(await isSwitched(tx, record)))
    throw refuse('operation-not-retryable', { reason: because('migrate-room-again') })
  // One that was taken as moved would begin anew, and bring the source's content to where users work now.
  if (!(await isDone(tx, record, switchStep)))
    throw refuse('operation-not-retryable', { reason: because('room-has-moved') })
}

async function isDone(tx: Tx, { id }: OperationRecord<MoveInput>, step: string): Promise<boolean> {
  const found = await queryRows(
    tx,
    `select from operation_steps where operation_id = $1 and name = $2 and state = 'done'`,
    [id, step],
  )
  return found.length > 0
}

function end(
  tx: Tx,
  record: OperationRecord<MoveInput>,
  outcome: 'migrated' | 'postponed' | 'failed',
  reason: string | null,
): Promise<void> {
  const { runId, migrationId } = record.input
  const { id: roomId, name: roomName } = movedRoom(record)
  return recordOutcome(tx, { runId, migrationId, roomId, roomName, outcome, reason, operationId: record.id })
}

async function isSwitched(tx: Tx, record: OperationRecord<MoveInput>): Promise<boolean> {
  return (await homeOf(tx, record)) === record.input.targetRegionId
}

/** What the undo of a step found and does not decide by itself; null when a mistake of ours is why it failed. */
async function toldByUndo(tx: Tx, { id }: OperationRecord<MoveInput>, step: string): Promise<string | null> {
  const prefix = `undo: ${step}: `
  const [line] = await queryRows<{ text: string }>(
    tx,
    `select log.text from operation_log log join operation_steps step using (operation_id, position)
      where log.operation_id = $1 and step.name = $2 and step.state <> 'undone'
        and log.level = 'error' and starts_with(log.text, $3) order by log.n desc limit 1`,
    [id, step, prefix],
  )
  const text = line?.text.slice(prefix.length) ?? ourMistake
  return text === ourMistake ? null : text
}

async function mayBeClosed(tx: Tx, { id, input }: OperationRecord<MoveInput>): Promise<boolean> {
  if (input.before === 'SUSPENDED') return false
  const found = await queryRows(
    tx,
    `select from operation_steps where operation_id = $1 and name = $2 and state not in ('open', 'undone')`,
    [id, switchStep],
  )
  return found.length > 0
}
