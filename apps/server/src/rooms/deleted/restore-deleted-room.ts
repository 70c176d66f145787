/**
 * Brings a deleted room back from its last backup. Its row exists before the operation starts, to reserve the name and
 * the capacity. No user is let in before all of it is back and checked. Until then a failure or a cancellation undoes
 * everything, and the room is among the deleted ones as before; from then on the room is kept, and a retry goes on.
 */
import { because } from '@roomkeeper/contract'
import { RegionRefusal, RegionUnreachable } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { lockForReading, retainBackupsOfRoom } from '#backups/index.ts'
import { recordChange } from '#changes/index.ts'
import { noUndo, operation, StepFailed, startOnce, startOperation } from '#operations/index.ts'
import { queryComposed, queryRows, type Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { refuse } from '#platform/refuse.ts'
import { ensureCapacity, expectCapacity } from '#regions/index.ts'
import { changeState, removeRoom } from '../change-state.ts'
import {
  checkName,
  checkRoom,
  createOnRegion,
  deleteFromRegion,
  resumeOnRegion,
  suspendOnRegion,
} from '../lifecycle/operations/region-steps.ts'
import type { RoomCore, StartingCall } from '../start-for-room.ts'
import { isRestored, restoreOnRegion, sendSettings, sendStored } from '../steps/restore-steps.ts'
import { type RoomCall, roomIdOf, targetOf } from '../steps/room-call.ts'
import { findBackupToReturn, lockDeletedRoom, refuseEarlierOfRoom } from './deleted-rooms.ts'

const input = z.object({ deletedRoomId: z.uuid(), backupId: z.uuid(), state: z.enum(['DEFAULT', 'SUSPENDED']) })
type Input = z.infer<typeof input>
const jobName = 'restore'

export const restoreDeletedRoom = operation<Input>({
  kind: 'room.restore-deleted',
  version: 1,
  process: 'Restore PR',
  input,
  takesSlot: true,
  whenFailed: 'undo',
  managedBy: 'admin',
  steps: [
    {
      id: 'check-name',
      title: 'check the name on the region',
      process: 'Name already exists',
      run: checkNameAndRefuseEarlier,
      undo: noUndo,
    },
    {
      id: 'create-room',
      title: 'create the room on the region',
      run: (call) => createOnRegion(call, 'suspended'),
      undo: deleteFromRegion,
    },
    {
      id: 'send-backup',
      title: 'send the backup to the region',
      run: (call) => sendStored(call, call.input.backupId, call.input.backupId),
      undo: noUndo,
    },
    { id: 'restore-room', title: 'restore the room on the region', run: restoreContent, undo: noUndo },
    { id: 'send-settings', title: 'send licences, expiry and contacts', run: sendSettings, undo: noUndo },
    {
      id: 'check-room',
      title: 'check the room on the region',
      run: checkAndTakeFromDeleted,
      undo: noUndo,
      // Users may work in the room as soon as the next step has begun.
      pointOfNoReturn: true,
    },
    { id: 'put-state-back', title: 'keep users out as before', run: putStateBack, undo: noUndo },
  ],
  async done(tx, record) {
    const change = { from: ['IN_PROGRESS'], to: record.input.state } as const
    await changeState(tx, record.roomId, change, { kind: 'room.created', operation: record })
  },
  async failed(tx, { roomId, input }, error, undone) {
    // Nothing is undone any more once the room is not among the deleted ones.
    if (undone && (await leaveDeleted(tx, roomId, input))) return
    await changeState(tx, roomId, { from: ['IN_PROGRESS'], to: 'ERROR', error }, { kind: 'room.work-ended' })
  },
  async cancelled(tx, { roomId, input }) {
    await leaveDeleted(tx, roomId, input)
  },
  async retrying(tx, { roomId, roomName }) {
    // When all was undone its row is gone: it is restored anew from the list, with another name or region if need be.
    const name = await changeState(tx, roomId, { from: ['ERROR'], to: 'IN_PROGRESS' }, { kind: 'room.work-began' })
    if (name === null) throw refuse('wrong-state', { reason: because('room-not-in-error', { room: roomName }) })
  },
})

/** Labels that it was given meanwhile stay with it. @returns false if the room is not among the deleted ones any more */
async function leaveDeleted(tx: Tx, roomId: string | null, { deletedRoomId }: Input): Promise<boolean> {
  const left = `
    update deleted_rooms d
       set operation_id = null,
           columns = columns || coalesce((select jsonb_build_object('labels', labels) from rooms where id = d.room_id), '{}')
     where id = $1 returning id`
  if ((await queryRows(tx, left, [deletedRoomId])).length === 0) return false
  await removeRoom(tx, roomId, { kind: 'room.not-created' })
  return true
}

async function checkNameAndRefuseEarlier(call: RoomCall<Input>): Promise<void> {
  await refuseEarlierOfRoom(call)
  const { region, room, roomId } = await targetOf(call)
  // This operation has not made it, and what it holds may be newer than any backup.
  if ((await region.room(call.roomName))?.roomId === roomId || (await isWhereItWas(call, room)))
    throw new StepFailed(because('room-still-in-region'))
  await checkName(call)
}

/**
 * Under its former name in its former region, if these are not the ones that were asked already. A region that does not
 * answer is not waited for: another may stand in for it.
 */
async function isWhereItWas(
  { services, signal, input, roomId }: RoomCall<Input>,
  asked: { name: string; regionId: number },
): Promise<boolean> {
  const [former] = await queryRows<{ name: string; regionId: number }>(
    services.db,
    `select d.name, r.id as region_id from deleted_rooms d join regions r on r.id = (d.columns ->> 'region_id')::int
      where d.id = $1 and (d.name, r.id) <> ($2, $3)`,
    [input.deletedRoomId, asked.name, asked.regionId],
  )
  if (former === undefined) return false
  try {
    const region = await services.connectRegion(former.regionId, signal)
    return (await region.room(former.name))?.roomId === roomId
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof RegionRefusal || error instanceof RegionUnreachable) return false
    throw error
  }
}

async function restoreContent(call: RoomCall<Input>): Promise<void> {
  if (!(await isRestored(call, jobName))) await restoreOnRegion(call, call.input.backupId, jobName)
}

/** From now on the room is one like any other, which goes with a last backup of its own when it is deleted. */
async function checkAndTakeFromDeleted(call: RoomCall<Input>): Promise<void> {
  await checkRoom(call, 'suspended')
  await call.finish(async (tx) => {
    await queryRows(tx, 'select from deleted_rooms where id = $1 for update', [call.input.deletedRoomId])
    await retainBackupsOfRoom(tx, roomIdOf(call))
    await queryRows(tx, 'delete from deleted_rooms where id = $1', [call.input.deletedRoomId])
  })
}

async function putStateBack(call: RoomCall<Input>): Promise<void> {
  await (call.input.state === 'SUSPENDED' ? suspendOnRegion(call) : resumeOnRegion(call))
}

interface Wish {
  id: string
  region?: number | undefined
  tenantName?: string | undefined
}

/**
 * Reserves the name and the capacity of the room and records the operation, in one transaction.
 * @returns the operation's id
 * @throws Refusal `deleted-room-unknown`, `room-busy`, `purge-begun`, `backup-unknown`, `name-taken`, `sap-number-taken`, `region-full` …
 */
export function startRestore(core: RoomCore, { caller, requestId, header }: StartingCall, wish: Wish): Promise<string> {
  const request = { caller, route: 'restoreDeletedRoom', key: header('idempotency-key'), body: wish }
  return startOnce(core.database, request, async (tx) => {
    const deleted = await lockDeletedRoom(tx, wish.id)
    if (deleted.purgeBegunAt !== null) throw refuse('purge-begun', { room: deleted.name })
    if (deleted.isOver) throw refuse('deleted-room-unknown')
    const backupId = await findBackupToReturn(tx, deleted.id)
    if (backupId === null) throw refuse('backup-unknown')
    await lockForReading(tx, backupId)
    const was = deleted.columns as { region_id: number; product: 'ARIS'; state: string }
    const name = wish.tenantName ?? deleted.name
    const regionId = wish.region ?? was.region_id
    await expectCapacity(tx, regionId, was.product)
    const room = { id: deleted.roomId, name }
    const state = was.state === 'SUSPENDED' ? ('SUSPENDED' as const) : ('DEFAULT' as const)
    const operationId = await startOperation(tx, restoreDeletedRoom, {
      input: { deletedRoomId: deleted.id, backupId, state },
      room,
      regionId,
      startedBy: caller.actor,
      requestId,
    })
    await queryRows(tx, 'update deleted_rooms set operation_id = $2 where id = $1', [deleted.id, operationId])
    await recordChange(tx, { actor: caller.actor, kind: 'room.restore-deleted', room, operationId, requestId })
    await ensureCapacity(tx, regionId, was.product)
    const columns = { ...was, name, region_id: regionId, state: 'IN_PROGRESS' }
    await bringBackRow(tx, { ...columns, error_message: null, error_reasons: null, error_code: null })
    return operationId
  })
}

/**
 * Inserts the row of the room as it was. From then on its name is reserved and it counts in its region.
 * @throws Refusal `name-taken`, `sap-number-taken`
 */
async function bringBackRow(tx: Tx, columns: Record<string, unknown>): Promise<void> {
  // Columns of later releases get their defaults; those that PostgreSQL computes are left to it.
  const known = await queryRows<{ name: string }>(
    tx,
    `select quote_ident(attname) as name from pg_attribute
      where attrelid = 'rooms'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
        and attname = any($1::text[])`,
    [Object.keys(columns)],
  )
  const names = known.map(({ name }) => name).join(', ')
  const insert = `insert into rooms (${names}) select ${names} from jsonb_populate_record(null::rooms, $1::jsonb)`
  await queryComposed(tx, insert, [JSON.stringify(columns)]).catch((error: unknown) => {
    if (violatesUnique(error, 'rooms_name')) throw refuse('name-taken', { room: String(columns.name) })
    throw violatesUnique(error, 'rooms_new_sap_number') ? refuse('sap-number-taken') : error
  })
}
