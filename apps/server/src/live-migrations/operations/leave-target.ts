/**
 * What a move that is undone has to do in its target: remove the copy. Where a region cannot be reached, that becomes an
 * operation of its own, for as long as a week: the room is free meanwhile.
 */

import { randomUUID } from 'node:crypto'
import { because } from '@roomkeeper/contract'
import { RegionJobFailed } from '@roomkeeper/region-protocol'
import { NotYet, nothing, type OperationRecord, operation, type StepCall, StepFailed } from '#operations/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import {
  above,
  beginRemoval,
  isOfRegion,
  refuseAllOf,
  refuseBelow,
  runRegionJob,
  soonGivenUp,
  stopRegionJob,
} from '#regions/index.ts'
import type { RoomServices } from '#rooms/index.ts'
import { creationOfCopy } from './copy-room.ts'
import { doesNotHaveIt } from './hold-locks.ts'
import { raiseAlarm } from './lost-room.ts'
import { connectTo, holderOf, homeOf, type MoveCall, type MoveInput, movedRoom } from './move-call.ts'
import { moveSteps } from './move-steps.ts'
import { untilTheRegionCan } from './region-troubles.ts'
import { type LeftCopy, leftCopy, lookAtSource, moveJobs, removeCopy, type SourceSight } from './remove-copy.ts'
import { lookElsewhere, nameOfRegion } from './see-elsewhere.ts'
import { startOnceFor } from './start-once-for.ts'
import { takeAsMoved } from './switch-room.ts'

export const leaveTarget = operation<LeftCopy, RoomServices>({
  kind: 'migration.leave-target',
  version: 1,
  process: 'Delete PR',
  input: leftCopy,
  takesPlace: false,
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
        await untilTheRegionCan(async () => {
          await endMove(call)
          await mustNotBeHere(call)
          await removeCopy(call, call.input)
          await refuseBelow(await targetOf(call), above(call.mark))
        })
      },
    },
  ],
  done: nothing,
  failed: (tx, { input }, reason, _, sort) => raiseAlarm(tx, { roomId: input.roomId, reason, sort }),
  cancelled: nothing,
  async retrying(tx, { roomName, input }) {
    // A room that begins to move takes its place under the same lock, and then looks whether this is open.
    await queryRows(tx, 'select from regions where id = $1 for update', [input.targetRegionId])
    const coming = await queryRows(tx, 'select from reserved_places where room_id = $1 and region_id = $2', [
      input.roomId,
      input.targetRegionId,
    ])
    if (coming.length > 0)
      throw refuse('operation-not-retryable', { reason: because('room-on-its-way-back', { room: roomName }) })
    if ((await homeOf(tx, input)) === input.targetRegionId)
      throw refuse('operation-not-retryable', { reason: because('room-in-use-there', { room: roomName }) })
  },
})

type LeaveCall = StepCall<LeftCopy, RoomServices>

const targetOf = ({ input, services, signal }: LeaveCall) => services.connectRegion(input.targetRegionId, signal)

/**
 * Calls of the move may still be on their way to a region that was frozen or cut off: from now on it refuses them, so
 * that none makes the copy after it was looked for, and none removes what comes there later.
 */
async function endMove(call: LeaveCall): Promise<void> {
  const { move } = call.input
  if (move.fence === undefined) return
  const target = await targetOf(call)
  await refuseAllOf(target, { id: move.id, fence: move.fence }, call.mark)
  // Under a mark of its own: where the move was taken up again, the region has been told a higher fence than this.
  await stopRegionJob({ ...call, id: move.id, attempt: move.attempt }, target, moveJobs.restore)
}

/** The question whose the copy is would lock the room for its users. @throws StepFailed */
async function mustNotBeHere({ input, services }: LeaveCall): Promise<void> {
  if ((await homeOf(services.db, input)) === input.targetRegionId)
    throw new StepFailed('The project room is in use there again: nothing is removed.')
}

/** Once it has ended, no call that is still on its way removes what a later move has brought there. */
async function stopRemoval(call: LeaveCall): Promise<void> {
  try {
    await refuseAllOf(await targetOf(call), { id: call.id, fence: call.mark.fence }, call.mark)
  } catch (error) {
    call.signal.throwIfAborted()
    if (!isOfRegion(error)) throw error
    await call.log(error.message, 'warning')
  }
}

/** Undo of the creation in the target. The source must have the room; it is for a person to say what it means if not. */
export async function undoCopy(call: MoveCall): Promise<void> {
  // An undo that was cut off has taken it as moved: the end of the move opens it, and leaves the source.
  if ((await homeOf(call.services.db, call)) === call.input.targetRegionId) return
  const copy = await copyOf(call.services.db, call, call.mark.fence)
  try {
    const target = await connectTo(call, 'target')
    // What is found decides, and is not to change by what an earlier try has sent.
    await beginRemoval(call, target, moveJobs.remove)
    const source = await lookAtSource(call, copy)
    if (source.is === 'missing') await endWithoutSource(call, source)
    else if (await removeCopy(call, copy, soonGivenUp)) await refuseBelow(target, above(call.mark))
  } catch (error) {
    call.signal.throwIfAborted()
    if (!isOfRegion(error)) throw error
    await sourceMustBeThere(call, error)
    await call.log(`${error.message} The copy in the target is removed by an operation of its own.`, 'warning')
    await call.transaction((tx) => leaveTargetTo(tx, call, copy))
  }
}

/**
 * What cannot look at the target is not handed over when the copy there may be the room: only this move can take it.
 * @throws NotYet
 */
async function sourceMustBeThere(call: MoveCall, troubles: Error): Promise<void> {
  const { id: roomId, name } = movedRoom(call)
  const { targetRegionId: regionId } = call.input
  const sight = await lookElsewhere(call, { roomId, name, regionId }).catch((error: unknown) => {
    call.signal.throwIfAborted()
    if (!isOfRegion(error)) throw error
    return null
  })
  if (sight?.is !== 'missing') return
  const where = await nameOfRegion(call.services.db, regionId)
  throw new NotYet(
    `${sight.home.name} does not have the project room, and what ${where} has cannot be told. ${troubles.message} When ${where} answers, choose Retry.`,
  )
}

async function copyOf(db: Db | Tx, record: OperationRecord<MoveInput>, fence: number): Promise<LeftCopy> {
  return {
    roomId: movedRoom(record).id,
    targetRegionId: record.input.targetRegionId,
    move: { id: record.id, attempt: record.attempt, fence },
    holder: holderOf(record),
    sourceRegionId: record.input.sourceRegionId,
    creation: await creationOfCopy(db, record),
  }
}

/** For a move that ends without having looked after its copy; that nobody works in it is proved then, as always. */
export async function leaveCopy(tx: Tx, record: OperationRecord<MoveInput>): Promise<void> {
  const [made] = await queryRows<{ fence: number }>(
    tx,
    `select o.fence from operations o join operation_steps s on s.operation_id = o.id
      where o.id = $1 and s.step_id = $2 and s.state not in ('open', 'undone')`,
    [record.id, moveSteps.createCopy.id],
  )
  if (made !== undefined) await leaveTargetTo(tx, record, await copyOf(tx, record, made.fence))
}

/**
 * Most likely the move had ended, and this database is of before. A person who looks and then chooses Retry says so.
 * @throws StepFailed as long as nobody has
 */
async function endWithoutSource(call: MoveCall, source: SourceSight & { is: 'missing' }): Promise<void> {
  const isTaken = call.attempt > 1 && source.copy === 'complete'
  if (isTaken && (await staysInTarget(call))) {
    await takeAsMoved(call)
    return call.log('the source does not have the project room, the target has it: it is taken as moved', 'warning')
  }
  const { name: from } = source.home
  const to = await nameOfRegion(call.services.db, call.input.targetRegionId)
  throw new StepFailed(`${whatWasFound(from, to, isTaken ? 'none' : source.copy)} Nothing was removed.`)
}

/** A region runs the jobs of one room in order: after this one no removal that it had accepted before is left. */
async function staysInTarget(call: MoveCall): Promise<boolean> {
  const { id: roomId, name: room } = movedRoom(call)
  const target = await connectTo(call, 'target')
  const has = async () => (await target.room(room))?.roomId === roomId
  try {
    await runRegionJob(call, target, { type: 'digestRoom', room, roomId }, `digest-taken-${randomUUID()}`)
  } catch (error) {
    call.signal.throwIfAborted()
    if (!(error instanceof RegionJobFailed || doesNotHaveIt(error)) || (await has())) throw error
  }
  return has()
}

function whatWasFound(from: string, to: string, copy: 'complete' | 'begun' | 'none'): string {
  switch (copy) {
    case 'complete':
      return `${from} does not have the project room, ${to} has it: most likely the move had ended, and this database is of before. When the project room in ${to} is the right one, choose Retry: it is taken as moved.`
    case 'begun':
      return `${from} does not have the project room, and the copy in ${to} may not be whole. When the project room is back in ${from}, choose Retry.`
    case 'none':
      return `Neither ${from} nor ${to} has the project room. When it is back in ${from}, choose Retry.`
  }
}

async function leaveTargetTo(tx: Tx, record: OperationRecord<MoveInput>, copy: LeftCopy): Promise<void> {
  const parts = { input: copy, room: null, subject: record.roomName, regionId: copy.targetRegionId }
  await startOnceFor(tx, record, leaveTarget, parts)
}
