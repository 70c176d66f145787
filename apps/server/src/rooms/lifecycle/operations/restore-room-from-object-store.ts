/** D2O restore: the region itself reads the backup from the object store. A failure leaves the room as it was. */
import { because } from '@roomkeeper/contract'
import { type ObjectStoreLocation, objectStoreLocation } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { nothing, operation, type Step } from '#operations/index.ts'
import { runRegionJob } from '#regions/index.ts'
import {
  backUpOldContent,
  checkSuspended,
  putBack,
  putFormerBack,
  replaceContent,
  sendSettings,
} from '../../steps/restore-steps.ts'
import { type RoomCall, targetOf } from '../../steps/room-call.ts'
import type { RoomServices } from '../../steps/room-services.ts'
import { busyRoomOutcome } from './busy-room.ts'

/** `sealed.source` is sealed JSON: the location of the backup and the keys to it. */
const input = z.object({ location: z.string(), sealed: z.object({ source: z.string() }) })
type Input = z.infer<typeof input>
const jobName = 'restore-d2o'

const restoreStep = { id: 'restore-from-object-store', title: 'restore the room from the object store' }
export const restoreRoomFromObjectStore = inVersion(2, [
  { ...restoreStep, run: replaceFromObjectStore, undo: (call) => putFormerBack(call, jobName) },
])
/** Version 1, for operations that started with it: the old content was packed as a backup first. */
export const restoreRoomFromObjectStoreVersion1 = inVersion(1, [
  backUpOldContent,
  { ...restoreStep, run: restoreFromObjectStore, undo: (call) => putBack(call, jobName) },
])

function inVersion(version: number, restoring: Step<Input, RoomServices>[]) {
  return operation<Input, RoomServices>({
    kind: 'room.restore-d2o',
    version,
    process: 'Restore PR',
    input,
    takesSlot: true,
    whenFailed: 'undo',
    managedBy: 'admin',
    steps: [
      { id: 'check-room', title: 'check the room on the region', run: checkSuspended, undo: nothing },
      ...restoring,
      { id: 'send-settings', title: 'send licences, expiry and contacts', run: sendSettings, undo: nothing },
    ],
    ...busyRoomOutcome({ before: 'SUSPENDED', after: 'SUSPENDED' }),
  })
}

async function replaceFromObjectStore(call: RoomCall<Input>): Promise<void> {
  await replaceContent(call, { source: await sourceOf(call) }, jobName)
}

async function restoreFromObjectStore(call: RoomCall<Input>): Promise<void> {
  const { room, region } = await targetOf(call)
  const source = await sourceOf(call)
  const job = { type: 'restoreFromObjectStore', room: room.name, roomId: room.id, source } as const
  await runRegionJob(call, region, job, jobName)
}

async function sourceOf(call: RoomCall<Input>): Promise<ObjectStoreLocation> {
  await call.log([because('log-reading', { location: call.input.location })])
  return objectStoreLocation.parse(JSON.parse(call.services.secrets.open(call.input.sealed.source).reveal()))
}
