/**
 * Lets the users into the target once the room is switched to it. Until then its copy is suspended, so that nobody can
 * work in what may be removed, whatever becomes of the lock. Where the target cannot be reached, opening it becomes an
 * operation of its own, for as long as a week: only its users wait, no place and no run.
 */
import { because } from '@roomkeeper/contract'
import type { RegionClient } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import {
  type OperationRecord,
  operation,
  outputOfStep,
  type StepCall,
  StepFailed,
  startOperation,
  stateOfStep,
} from '#operations/index.ts'
import type { Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { isOfRegion } from '#regions/index.ts'
import { changeState, type RoomServices } from '#rooms/index.ts'
import { doesNotHaveIt, unlock, unlockAs } from './hold-locks.ts'
import { connectTo, holderOf, type MoveCall, type MoveInput, movedRoom, moveInput } from './move-call.ts'
import { moveSteps, type Opened } from './move-steps.ts'
import { type MoveProof, moveProof, mustHoldWhatWasMoved, proofOf } from './prove-moved.ts'
import { untilTheRegionCan } from './region-troubles.ts'
import { nameOfRegion, roomIsLost } from './see-elsewhere.ts'

const openInput = moveInput.pick({ sourceRegionId: true, targetRegionId: true, before: true }).extend({
  holder: z.string(),
  /** Those of an earlier version do not say. */
  move: moveProof.extend({ id: z.uuid() }).optional(),
})
type OpenInput = z.infer<typeof openInput>
type OpenCall = StepCall<OpenInput, RoomServices>

export const openMovedRoom = operation<OpenInput, RoomServices>({
  kind: 'migration.open-target',
  version: 1,
  process: 'Resume PR',
  input: openInput,
  takesPlace: false,
  whenFailed: 'keep',
  managedBy: 'admin',
  steps: [
    {
      id: moveSteps.open.id,
      title: moveSteps.open.title,
      run: openLater,
      undo: closeAgain,
      retry: { minutes: 7 * 24 * 60, longestPauseSeconds: 30 },
    },
  ],
  async done(tx, { roomId, input }) {
    await changeState(tx, roomId, { from: ['IN_PROGRESS'], to: input.before })
  },
  async failed(tx, { roomId }, error) {
    await changeState(tx, roomId, { from: ['IN_PROGRESS'], to: 'ERROR', error })
  },
  // So it is there, and whoever cancelled resumes it when he likes.
  async cancelled(tx, { roomId }) {
    await changeState(tx, roomId, { from: ['IN_PROGRESS'], to: 'SUSPENDED' })
  },
  async retrying(tx, { roomId, roomName }) {
    const name = await changeState(tx, roomId, { from: ['ERROR'], to: 'IN_PROGRESS' })
    if (name === null)
      throw refuse('wrong-state', { reason: because('room-changed-since-failure', { room: roomName }) })
  },
})

/**
 * The step of the move.
 * @throws StepFailed when the source is open for users; of the sort `lost` when the target answers that it does not have
 * the room, or does not have what was moved
 */
export async function openTarget(call: MoveCall): Promise<Opened> {
  if (call.input.before === 'DEFAULT') await sourceMustBeClosed(call)
  try {
    const target = await connectTo(call, 'target')
    const proof = await proofOf(call.services.db, call)
    if (proof !== undefined) await mustBeProved(call, target, { id: call.id, ...proof })
    if (call.input.before === 'DEFAULT') {
      const { id, name } = movedRoom(call)
      await target.resumeRoom(name, id, call.mark)
    }
    await unlock(call, 'target')
    await call.log('users can work in the target')
    return { opened: true }
  } catch (error) {
    call.signal.throwIfAborted()
    if (doesNotHaveIt(error)) throw await targetIsLost(call, call.input)
    if (!isOfRegion(error)) throw error
    await call.log(`${error.message} The room is opened by an operation of its own.`, 'warning')
    return { opened: false }
  }
}

export async function targetIsLost(
  call: Pick<OpenCall, 'id' | 'roomId' | 'roomName' | 'signal' | 'services'>,
  { sourceRegionId, targetRegionId }: Pick<MoveInput, 'sourceRegionId' | 'targetRegionId'>,
): Promise<StepFailed> {
  const { id: roomId, name } = movedRoom(call)
  const home = { name: await nameOfRegion(call.services.db, targetRegionId) }
  return roomIsLost(call, { roomId, name, regionId: sourceRegionId }, home)
}

/** What the step of the move has left open. */
export function isLeftClosed(call: MoveCall): boolean {
  return call.input.closedCopy && !call.output(moveSteps.open).opened
}

/** Whether that is done, or was done by the switch itself as in version 1; for the end of a move that has switched. */
export async function isOpen(tx: Tx, { id, input }: OperationRecord<MoveInput>): Promise<boolean> {
  if (!input.closedCopy) return true
  const isDone = (await stateOfStep(tx, id, moveSteps.open)) === 'done'
  return isDone && (await outputOfStep(tx, id, moveSteps.open))?.opened === true
}

/** In the transaction that ends the move: the room stays busy. */
export async function leaveOpening(tx: Tx, record: OperationRecord<MoveInput>): Promise<void> {
  const { sourceRegionId, targetRegionId, before } = record.input
  const { id: parentId, startedBy, requestId } = record
  const proof = await proofOf(tx, record)
  const move = proof === undefined ? undefined : { id: parentId, ...proof }
  const input = { sourceRegionId, targetRegionId, before, holder: holderOf(record), move }
  const parts = { input, room: movedRoom(record), regionId: targetRegionId }
  await startOperation(tx, openMovedRoom, { ...parts, parentId, startedBy, requestId })
}

async function openLater(call: OpenCall): Promise<void> {
  await untilTheRegionCan(async () => {
    await sourceMustBeClosed(call)
    try {
      await open(call)
    } catch (error) {
      if (doesNotHaveIt(error)) throw await targetIsLost(call, call.input)
      throw error
    }
  })
  await call.log('users can work in the target')
}

async function open(call: OpenCall): Promise<void> {
  const { targetRegionId, before, holder, move } = call.input
  const { id: roomId, name } = movedRoom(call)
  const target = await call.services.connectRegion(targetRegionId, call.signal)
  if (move !== undefined) await mustBeProved(call, target, move)
  if (before === 'DEFAULT') await target.resumeRoom(name, roomId, call.mark)
  await unlockAs(target, name, { roomId, holder }, call.mark)
}

/**
 * What Retry finds may have been put back by hand: then the content tells, as long as nobody has worked in it.
 * @throws StepFailed of the sort `lost`
 */
async function mustBeProved(
  call: Omit<OpenCall, 'input' | 'transaction' | 'finish' | 'start'> & {
    input: Pick<OpenInput, 'sourceRegionId' | 'targetRegionId'>
  },
  target: RegionClient,
  move: { id: string } & MoveProof,
): Promise<void> {
  const { sourceRegionId: regionId, targetRegionId } = call.input
  const room = movedRoom(call)
  const home = { name: await nameOfRegion(call.services.db, targetRegionId) }
  const left = { roomId: room.id, name: room.name, regionId }
  const isClosed = async () => {
    const found = await target.room(room.name)
    if (found?.roomId !== room.id) throw await roomIsLost(call, left, home)
    return found.state === 'suspended'
  }
  await mustHoldWhatWasMoved(call, target, { room, move, home, left, isClosed, isInDoubt: call.attempt > 1 })
}

type ClosedCall = Pick<
  StepCall<Pick<MoveInput, 'sourceRegionId'>, RoomServices>,
  'input' | 'roomId' | 'roomName' | 'log' | 'signal' | 'services'
>

/** This may come late, and be told by a database that is older than what has happened: never do users write to both. */
async function sourceMustBeClosed(call: ClosedCall): Promise<void> {
  const { sourceRegionId } = call.input
  const { id: roomId, name } = movedRoom(call)
  try {
    const found = await (await call.services.connectRegion(sourceRegionId, call.signal)).room(name)
    if (found?.roomId !== roomId || found.state !== 'active') return
  } catch (error) {
    call.signal.throwIfAborted()
    if (!isOfRegion(error)) throw error
    return call.log(error.message, 'warning')
  }
  const where = await nameOfRegion(call.services.db, sourceRegionId)
  throw new StepFailed(`The project room is open for users in ${where}, where it was before: it is not opened twice.`)
}

/** Undo, for a cancel. A target that cannot be reached has not been opened, or is told by the doctor. */
async function closeAgain(call: OpenCall): Promise<void> {
  const { id, name } = movedRoom(call)
  try {
    const target = await call.services.connectRegion(call.input.targetRegionId, call.signal)
    await target.suspendRoom(name, id, call.mark)
  } catch (error) {
    call.signal.throwIfAborted()
    if (!isOfRegion(error)) throw error
    await call.log(error.message, 'warning')
  }
}
