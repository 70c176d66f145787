/**
 * Opens the target for users after the switch. Until then the copy is suspended, so that no user can work in a copy
 * that may be deleted, even if its lock expires. If the target is unreachable, a separate operation keeps trying to
 * open it for up to a week: only the room's users wait; no slot is taken and the run goes on.
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
  toldByRegion,
} from '#operations/index.ts'
import type { Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { isRegionError, logFailureOfRegion } from '#regions/index.ts'
import { changeState } from '#rooms/index.ts'
import { errorCodeOf, nameOfRegion, roomIsLost } from './check-home.ts'
import { type MoveProof, moveProof, proofOf, requireMovedContent } from './copy.ts'
import { retryWhileRegionRefuses } from './follow-up.ts'
import { isMissingThere, unlock, unlockAs } from './hold-locks.ts'
import {
  connectTo,
  holderOf,
  type MoveCall,
  type MoveInput,
  movedRoom,
  moveInput,
  moveSteps,
  type Opened,
} from './move-call.ts'

const openInput = moveInput.pick({ sourceRegionId: true, targetRegionId: true, before: true }).extend({
  holder: z.string(),
  move: moveProof.extend({ id: z.uuid() }),
})
type OpenInput = z.infer<typeof openInput>
type OpenCall = StepCall<OpenInput>

export const openMovedRoom = operation<OpenInput>({
  kind: 'migration.open-target',
  version: 1,
  process: 'Resume PR',
  input: openInput,
  takesSlot: false,
  whenFailed: 'keep',
  worksInDisabledRegion: true,
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
    await changeState(tx, roomId, { from: ['IN_PROGRESS'], to: input.before }, { kind: 'room.work-ended' })
  },
  async failed(tx, { roomId }, error, _, failureCode) {
    const change = { from: ['IN_PROGRESS'], to: 'ERROR', error, errorCode: errorCodeOf(failureCode) } as const
    await changeState(tx, roomId, change, { kind: 'room.work-ended' })
  },
  // The room stays suspended in the target and can be resumed there.
  async cancelled(tx, record) {
    const kind = record.input.before === 'DEFAULT' ? 'room.suspended' : 'room.work-ended'
    const change = { from: ['IN_PROGRESS'], to: 'SUSPENDED' } as const
    await changeState(tx, record.roomId, change, { kind, operation: record })
  },
  async retrying(tx, { roomId, roomName }) {
    const name = await changeState(tx, roomId, { from: ['ERROR'], to: 'IN_PROGRESS' }, { kind: 'room.work-began' })
    if (name === null)
      throw refuse('wrong-state', { reason: because('room-changed-since-failure', { room: roomName }) })
  },
})

/**
 * The step of a move.
 * @throws StepFailed when the source is open for users; with the code `lost` when the target answers that it does not
 * have the room, or does not have what was moved
 */
export async function openTarget(call: MoveCall): Promise<Opened> {
  if (call.input.before === 'DEFAULT') await requireClosedSource(call)
  try {
    const target = await connectTo(call, 'target')
    await requireProof(call, target, { id: call.id, ...(await proofOf(call.services.db, call)) })
    if (call.input.before === 'DEFAULT') {
      const { id, name } = movedRoom(call)
      await target.resumeRoom(name, id, call.mark)
    }
    await unlock(call, 'target')
    await call.log([because('log-target-open')])
    return { opened: true }
  } catch (error) {
    call.signal.throwIfAborted()
    if (isMissingThere(error)) throw await targetIsLost(call, call.input)
    if (!isRegionError(error)) throw error
    await call.log([toldByRegion(error), because('log-opened-later')], 'warning')
    return { opened: false }
  }
}

async function targetIsLost(
  call: Pick<OpenCall, 'id' | 'roomId' | 'roomName' | 'signal' | 'services'>,
  { sourceRegionId, targetRegionId }: Pick<MoveInput, 'sourceRegionId' | 'targetRegionId'>,
): Promise<StepFailed> {
  const { id: roomId, name } = movedRoom(call)
  const home = { name: await nameOfRegion(call.services.db, targetRegionId) }
  return roomIsLost(call, { roomId, name, regionId: sourceRegionId }, home)
}

/** For the end of a move that has switched: whether users have been let in. */
export async function hasOpenedTarget(tx: Tx, { id }: OperationRecord<MoveInput>): Promise<boolean> {
  const isDone = (await stateOfStep(tx, id, moveSteps.open)) === 'done'
  return isDone && (await outputOfStep(tx, id, moveSteps.open))?.opened === true
}

/** For the transaction that ends the move, so that the room stays busy. */
export async function enqueueOpening(tx: Tx, record: OperationRecord<MoveInput>): Promise<void> {
  const { sourceRegionId, targetRegionId, before } = record.input
  const { id: parentId, startedBy, requestId } = record
  const move = { id: parentId, ...(await proofOf(tx, record)) }
  const input = { sourceRegionId, targetRegionId, before, holder: holderOf(record), move }
  const parts = { input, room: movedRoom(record), regionId: targetRegionId }
  await startOperation(tx, openMovedRoom, { ...parts, parentId, startedBy, requestId })
}

async function openLater(call: OpenCall): Promise<void> {
  await retryWhileRegionRefuses(async () => {
    await requireClosedSource(call)
    try {
      await open(call)
    } catch (error) {
      if (isMissingThere(error)) throw await targetIsLost(call, call.input)
      throw error
    }
  })
  await call.log([because('log-target-open')])
}

async function open(call: OpenCall): Promise<void> {
  const { targetRegionId, before, holder, move } = call.input
  const { id: roomId, name } = movedRoom(call)
  const target = await call.services.connectRegion(targetRegionId, call.signal)
  await requireProof(call, target, move)
  if (before === 'DEFAULT') await target.resumeRoom(name, roomId, call.mark)
  await unlockAs(target, name, { roomId, holder }, call.mark)
}

/**
 * Before a retry, an operator may have put the room back by hand: then its content is compared, unless the room is
 * open.
 * @throws StepFailed with the code `lost`
 */
async function requireProof(
  call: Omit<OpenCall, 'input' | 'transaction' | 'finish' | 'start'> & {
    input: Pick<OpenInput, 'sourceRegionId' | 'targetRegionId'>
  },
  target: RegionClient,
  move: { id: string } & MoveProof,
): Promise<void> {
  const { sourceRegionId: regionId, targetRegionId } = call.input
  const room = movedRoom(call)
  const home = { name: await nameOfRegion(call.services.db, targetRegionId) }
  const abandoned = { roomId: room.id, name: room.name, regionId }
  const isClosed = async () => {
    const found = await target.room(room.name)
    if (found?.roomId !== room.id) throw await roomIsLost(call, abandoned, home)
    return found.state === 'suspended'
  }
  await requireMovedContent(call, target, { room, move, home, abandoned, isClosed, isInDoubt: call.attempt > 1 })
}

type ClosedCall = Pick<
  StepCall<Pick<MoveInput, 'sourceRegionId'>>,
  'input' | 'roomId' | 'roomName' | 'log' | 'signal' | 'services'
>

/** The opening may run late, or on a restored older dump, and users must never write to both copies. */
async function requireClosedSource(call: ClosedCall): Promise<void> {
  const { sourceRegionId } = call.input
  const { id: roomId, name } = movedRoom(call)
  try {
    const found = await (await call.services.connectRegion(sourceRegionId, call.signal)).room(name)
    if (found?.roomId !== roomId || found.state !== 'active') return
  } catch (error) {
    call.signal.throwIfAborted()
    if (!isRegionError(error)) throw error
    return call.log([toldByRegion(error)], 'warning')
  }
  const where = await nameOfRegion(call.services.db, sourceRegionId)
  throw new StepFailed(because('source-open', { region: where }))
}

/** Undo, after a cancel. An unreachable target either was not opened or becomes a finding of the doctor. */
async function closeAgain(call: OpenCall): Promise<void> {
  const { id, name } = movedRoom(call)
  await logFailureOfRegion(call, async () => {
    const target = await call.services.connectRegion(call.input.targetRegionId, call.signal)
    await target.suspendRoom(name, id, call.mark)
  })
}
