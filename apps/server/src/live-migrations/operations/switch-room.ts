/** The point of no return: from here on the target holds the room. */

import { because } from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import {
  changeOutput,
  NotYet,
  type OperationRecord,
  outputOfStep,
  StepFailed,
  toldByRegion,
} from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { copyToLock, isRegionError, recordRedirect } from '#regions/index.ts'
import { nameOfRegion } from './check-home.ts'
import { requireUnused } from './copy.ts'
import { confirmLocks, isLockedByAnother, requireUnbrokenLock } from './hold-locks.ts'
import {
  connectTo,
  holderOf,
  homeOf,
  type MoveCall,
  type MoveInput,
  movedRoom,
  moveSteps,
  type Switched,
} from './move-call.ts'

/**
 * The source is suspended before the switch: its lock expires a minute after the last renewal, and users must not be
 * able to go on writing there if the server can no longer reach the source.
 */
export async function switchRoom(call: MoveCall): Promise<Switched> {
  const room = movedRoom(call)
  const source = await connectTo(call, 'source')
  if (call.input.before === 'DEFAULT' && (await source.room(room.name))?.state === 'suspended')
    await recordClosedBefore(call)
  await confirmLocks(call)
  // Needed even if the console has the room as suspended: it may still be open on its region.
  const suspended = await source.suspendRoom(room.name, room.id, call.mark)
  // The lock may have expired since it was confirmed.
  requireUnbrokenLock(call, 'source', suspended)
  const region = await nameOfRegion(call.services.db, call.input.targetRegionId)
  await call.log([because('log-switching', { region })])
  const output = await call.finishWith(moveSteps.switch, async (tx) => {
    await writeSwitch(tx, call, room)
    return {}
  })
  await call.log([because('log-switched', { region })])
  return output
}

/** An earlier try of this step suspended the source and may have switched the room; the database may have lost that. */
function recordClosedBefore(call: MoveCall): Promise<void> {
  return call.transaction((tx) => changeOutput(tx, call.id, moveSteps.switch, { closedBefore: true }))
}

async function mayHaveSwitched(call: MoveCall): Promise<boolean> {
  const { db } = call.services
  if ((await outputOfStep(db, call.id, moveSteps.switch))?.closedBefore === true) return true
  const [found] = await queryRows<{ may: boolean }>(
    db,
    `select o.began_before_restore or exists (select from operation_steps after
                                   where after.operation_id = o.id and after.position > s.position
                                     and after.state <> 'open') as may
       from operations o join operation_steps s on s.operation_id = o.id where o.id = $1 and s.step_id = $2`,
    [call.id, moveSteps.switch.id],
  )
  return found?.may === true
}

async function writeSwitch(
  tx: Tx,
  call: OperationRecord<MoveInput>,
  room: { id: string; name: string },
): Promise<void> {
  const { sourceRegionId, targetRegionId, routing, migrationId } = call.input
  const moved = await queryRows(
    tx,
    `update rooms set region_id = $3, version = version + 1
      where id = $1 and region_id = $2 and state = 'IN_PROGRESS' returning id`,
    [room.id, sourceRegionId, targetRegionId],
  )
  if (moved.length === 0) {
    // An earlier try may have committed although the answer was lost.
    if ((await homeOf(tx, call)) === targetRegionId) return
    throw new StepFailed(because('no-longer-in-source'))
  }
  await queryRows(tx, 'delete from capacity_reservations where room_id = $1 and operation_id = $2', [room.id, call.id])
  await recordRedirect(tx, { room, regionId: sourceRegionId, arrivesIn: targetRegionId, routing })
  const regions = await queryRows<{ id: number; name: string }>(
    tx,
    'select id, name from regions where id in ($1, $2)',
    [sourceRegionId, targetRegionId],
  )
  const nameOf = (id: number) => regions.find((region) => region.id === id)?.name ?? String(id)
  const changes = [{ field: 'region', from: nameOf(sourceRegionId), to: nameOf(targetRegionId) }]
  await recordChange(tx, {
    kind: 'room.migrate',
    actor: call.startedBy,
    requestId: call.requestId,
    room,
    operation: call,
    migrationId,
    changes,
  })
}

/**
 * After a failover the database may lack the switch and yet record its step as done, because the next write repeats
 * that the step ended. So each step after the switch begins with this check.
 */
export async function stillSwitched(call: MoveCall): Promise<void> {
  if ((await homeOf(call.services.db, call)) === call.input.targetRegionId) return
  await call.transaction((tx) => switchAgain(tx, call))
  await call.log([because('log-switched-again')], 'warning')
}

/** For the transaction that ends a move: the database may have lost the switch after the last step checked for it. */
export async function endSwitched(tx: Tx, record: OperationRecord<MoveInput>): Promise<void> {
  if ((await homeOf(tx, record)) === record.input.sourceRegionId) await switchAgain(tx, record)
}

/** Writes the switch and the end of its step in one transaction: once the step is done there is no way back. */
async function switchAgain(tx: Tx, record: OperationRecord<MoveInput>): Promise<void> {
  await writeSwitch(tx, record, movedRoom(record))
  await changeOutput(tx, record.id, moveSteps.switch, {}, 'done')
}

/** Undo of a switch that did not happen. The undo of the copy handles a source that does not have the room. */
export async function reopenSource(call: MoveCall): Promise<void> {
  if (call.input.before !== 'DEFAULT') return
  // The undo of the copy may have recorded the room as moved.
  if ((await homeOf(call.services.db, call)) !== call.input.sourceRegionId) return
  const { id, name } = movedRoom(call)
  const source = await connectTo(call, 'source')
  if ((await source.room(name))?.roomId !== id) return call.log([because('log-not-in-source')], 'warning')
  await targetMustNotBeInUse(call)
  await source.resumeRoom(name, id, call.mark)
}

/** The database may have lost a switch that did happen, and users must never write to both copies. */
async function targetMustNotBeInUse(call: MoveCall): Promise<void> {
  const { id: roomId, name } = movedRoom(call)
  const { targetRegionId } = call.input
  const copy = { roomId, targetRegionId, move: { id: call.id, attempt: call.attempt } }
  try {
    const target = await connectTo(call, 'target')
    if ((await target.room(name))?.roomId !== roomId) return
    await requireUnused(call, copyToLock(call, { region: target, name, roomId, holder: holderOf(call) }), copy)
  } catch (error) {
    call.signal.throwIfAborted()
    if (isLockedByAnother(error)) throw new NotYet(because('target-copy-locked'))
    if (!isRegionError(error)) throw error
    // The source stays closed only if the room may have been switched: an unreachable target alone must not close a
    // room.
    if (!(await mayHaveSwitched(call))) return call.log([toldByRegion(error)], 'warning')
    throw new NotYet([toldByRegion(error), because('source-stays-closed')])
  }
}

/** For a room that was found in the target: writes what the switch would have written. The end of the move opens it. */
export async function takeAsMoved(call: MoveCall): Promise<void> {
  await call.transaction((tx) => writeSwitch(tx, call, movedRoom(call)))
}
