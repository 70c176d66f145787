/** D2O restore: the region itself reads the backup from the object store. A failure leaves the room as it was. */
import { because } from '@roomkeeper/contract'
import { objectStoreLocation } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { nothing, operation } from '#operations/index.ts'
import { runRegionJob } from '#regions/index.ts'
import { backUpOldContent, checkSuspended, putBack, sendSettings } from '../../steps/restore-steps.ts'
import { type RoomCall, targetOf } from '../../steps/room-call.ts'
import type { RoomServices } from '../../steps/room-services.ts'
import { busyRoomOutcome } from './busy-room.ts'

/** `sealed.source` is sealed JSON: the location of the backup and the keys to it. */
const input = z.object({ location: z.string(), sealed: z.object({ source: z.string() }) })
type Input = z.infer<typeof input>
const jobName = 'restore-d2o'

export const restoreRoomFromObjectStore = operation<Input, RoomServices>({
  kind: 'room.restore-d2o',
  version: 1,
  process: 'Restore PR',
  input,
  takesSlot: true,
  whenFailed: 'undo',
  managedBy: 'admin',
  steps: [
    { id: 'check-room', title: 'check the room on the region', run: checkSuspended, undo: nothing },
    backUpOldContent,
    {
      id: 'restore-from-object-store',
      title: 'restore the room from the object store',
      run: restoreFromObjectStore,
      undo: (call) => putBack(call, jobName),
    },
    { id: 'send-settings', title: 'send licences, expiry and contacts', run: sendSettings, undo: nothing },
  ],
  ...busyRoomOutcome({ before: 'SUSPENDED', after: 'SUSPENDED' }),
})

async function restoreFromObjectStore(call: RoomCall<Input>): Promise<void> {
  const { room, region } = await targetOf(call)
  const source = objectStoreLocation.parse(JSON.parse(call.services.secrets.open(call.input.sealed.source).reveal()))
  await call.log([because('log-reading', { location: call.input.location })])
  const job = { type: 'restoreFromObjectStore', room: room.name, roomId: room.id, source } as const
  await runRegionJob(call, region, job, jobName)
}
