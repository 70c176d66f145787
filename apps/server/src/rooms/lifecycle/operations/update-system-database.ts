/**
 * Updates a room's system database to the version of its region. The room stays active or suspended. The update cannot
 * be reverted.
 */
import { because } from '@roomkeeper/contract'
import { z } from 'zod'
import { noUndo, type OperationRecord, operation, StepFailed, TookEffect } from '#operations/index.ts'
import type { Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { resultOfJob, runRegionJob, stopRegionJob, systemPasswordOf, tryOnRegion } from '#regions/index.ts'
import { unchangedRoom } from '../../steps/outcomes.ts'
import { type RoomCall, targetOf } from '../../steps/room-call.ts'
import { findRoomOfSteps } from '../../stored-room.ts'

const input = z.object({})
const jobName = 'update-system-database'

export const updateSystemDatabase = operation<z.infer<typeof input>>({
  kind: 'room.update-system-database',
  version: 1,
  process: 'Update system DB',
  input,
  takesSlot: true,
  whenFailed: 'undo',
  worksInDisabledRegion: true,
  managedBy: 'admin',
  steps: [
    { id: 'look-at-room', title: 'look at the room on the region', run: readRoom, undo: noUndo },
    {
      id: 'update-system-database',
      title: 'update the system database',
      run: updateOnRegion,
      undo: stopUpdate,
      pointOfNoReturn: true,
    },
  ],
  ...unchangedRoom,
  async retrying(tx: Tx, record: OperationRecord<unknown>) {
    const { roomId, roomName } = record
    const room = roomId === null ? null : await findRoomOfSteps(tx, roomId)
    if (room?.state !== 'DEFAULT' && room?.state !== 'SUSPENDED')
      throw refuse('wrong-state', { reason: because('room-neither-active-nor-suspended', { room: roomName }) })
    await unchangedRoom.retrying(tx, record)
  },
})

async function readRoom(call: RoomCall): Promise<void> {
  const { region, room } = await targetOf(call)
  const found = await region.room(room.name)
  if (found === null) throw new StepFailed(because('room-unknown-to-region'))
  if (found.roomId !== room.id) throw new StepFailed(because('other-room-there'))
  await call.log([because('log-version', { version: found.schemaVersion })])
}

async function updateOnRegion(call: RoomCall): Promise<void> {
  const { region, room } = await targetOf(call)
  const { db, secrets } = call.services
  const systemPassword = (await systemPasswordOf(db, secrets, room.regionId)).reveal()
  const { name, id: roomId } = room
  await runRegionJob(call, region, { type: 'updateSystemDatabase', room: name, roomId, systemPassword }, jobName)
}

async function stopUpdate(call: RoomCall): Promise<void> {
  const { region } = await targetOf(call)
  await tryOnRegion(call, async () => {
    await stopRegionJob(call, region, jobName)
    if ((await resultOfJob(call, region, jobName)) !== null)
      throw new TookEffect(because('system-database-updated-after-all'))
  })
}
