/**
 * Moves one room. Until the switch everything can be undone and the room goes on in its source; after it the room is
 * the one in the target, and what is left to do is only tried again.
 */
import { nothing, type OperationRecord, operation } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { changeState, type RoomServices } from '#rooms/index.ts'
import { checkLock, checkSessions } from './check-source.ts'
import { backUp, backupStep, compareCopies, createCopy, restoreCopy, stopBackup, stopRestore } from './copy-room.ts'
import { createStep, lockSource, lockStep, unlockSource } from './hold-locks.ts'
import { leaveOrHandOver } from './leave-source.ts'
import { undoCopy } from './leave-target.ts'
import { type MoveInput, movedRoom, moveInput, postponed } from './move-call.ts'
import { recordOutcome } from './room-outcome.ts'
import { lost } from './see-elsewhere.ts'
import { openTarget, reopenSource, switchRoom, switchStep } from './switch-room.ts'

const inTarget = { region: (input: MoveInput) => input.targetRegionId }
/** Users cannot write meanwhile; and pauses stay well below the minute after which a lock ends. */
const retry = { minutes: 5, longestPauseSeconds: 10 }
/** After the switch there is no way back. */
const forward = { minutes: Number.POSITIVE_INFINITY }

export const migrateRoom = operation<MoveInput, RoomServices>({
  kind: 'room.migrate',
  version: 1,
  process: null,
  input: moveInput,
  takesPlace: true,
  secondPlace: (input) => input.targetRegionId,
  whenFailed: 'undo',
  managedBy: 'admin',
  steps: [
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
    { name: 'compare both copies', run: compareCopies, undo: nothing, retry },
    { name: switchStep, run: switchRoom, undo: reopenSource, pointOfNoReturn: true, retry },
    { name: 'unlock the room in the target', run: openTarget, undo: nothing, retry: forward },
    { name: 'leave the source', run: leaveOrHandOver, undo: nothing, retry: forward },
  ],
  async done(tx, record) {
    await changeState(tx, record.roomId, { from: ['IN_PROGRESS'], to: record.input.before })
    await end(tx, record, 'migrated', null)
  },
  async failed(tx, record, reason, undone, sort) {
    if (await isSwitched(tx, record)) {
      const state = sort === lost ? { to: 'ERROR' as const, error: reason } : { to: record.input.before }
      await changeState(tx, record.roomId, { from: ['IN_PROGRESS'], ...state })
      return end(tx, record, 'migrated', reason)
    }
    const question = undone ? null : await whatToDecide(tx, record)
    const why = question === null ? reason : `${reason} ${question}`
    // A copy that is left in the target harms nobody; a source that is still suspended does.
    const isError = question !== null || (!undone && (await mayBeClosed(tx, record)))
    const state = isError ? { to: 'ERROR' as const, error: why } : { to: record.input.before }
    await changeState(tx, record.roomId, { from: ['IN_PROGRESS'], ...state })
    await end(tx, record, undone && sort === postponed ? 'postponed' : 'failed', why)
  },
  async cancelled(tx, record) {
    await changeState(tx, record.roomId, { from: ['IN_PROGRESS'], to: record.input.before })
    await end(tx, record, 'postponed', 'The move was cancelled.')
  },
  async retrying(tx, record, puttingBack) {
    if (!puttingBack && !(await isSwitched(tx, record)))
      throw refuse('operation-not-retryable', { reason: 'Please start the live migration again to move this room.' })
    const name = await changeState(tx, record.roomId, { from: [record.input.before, 'ERROR'], to: 'IN_PROGRESS' })
    if (name === null)
      throw refuse('wrong-state', { reason: `The project room ${record.roomName} is not as it was when this failed.` })
  },
})

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

async function isSwitched(tx: Tx, { roomId, input }: OperationRecord<MoveInput>): Promise<boolean> {
  const found = await queryRows(tx, 'select from rooms where id = $1 and region_id = $2', [
    roomId,
    input.targetRegionId,
  ])
  return found.length > 0
}

/** What the undo of the copy found and does not decide by itself; null when that is not why it failed. */
async function whatToDecide(tx: Tx, { id }: OperationRecord<MoveInput>): Promise<string | null> {
  const prefix = `undo: ${createStep}: `
  const [line] = await queryRows<{ text: string }>(
    tx,
    `select log.text from operation_log log join operation_steps step using (operation_id, position)
      where log.operation_id = $1 and step.name = $2 and step.state <> 'undone'
        and log.level = 'error' and starts_with(log.text, $3) order by log.n desc limit 1`,
    [id, createStep, prefix],
  )
  return line?.text.slice(prefix.length) ?? null
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
