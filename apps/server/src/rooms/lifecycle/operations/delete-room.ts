/**
 * Deletes a room with everything in it, first on the region and where moves have left copies, then in the console, after a last backup from which it can
 * come back. A room that the region does not have counts as deleted. A failure leaves the room in ERROR, and the
 * operation can be retried.
 */
import { because, type Reasons, reasonList } from '@roomkeeper/contract'
import { RegionRefusal, RegionUnreachable } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { expireBackupsOfRoom } from '#backups/index.ts'
import { noUndo, operation, outputOfStep, type StepCall, StepFailed, toldByRegion } from '#operations/index.ts'
import type { Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { forgetRedirect, redirectsOfRoom } from '#regions/index.ts'
import { changeState, removeRoom } from '../../change-state.ts'
import { keepDeletedRoom } from '../../deleted/keep-deleted-room.ts'
import { findRoomOfSteps, type RoomOfSteps } from '../../stored-room.ts'
import { deleteOwnRoom } from './delete-own-room.ts'
import { deletionJob, deletionStep, lookAtRoom } from './keep-users-out.ts'
import { backUpAnew, backUpLast, hasLastBackup, lastBackupSteps, requireLastBackup } from './last-backup.ts'
import { removeFormerCopies } from './remove-former-copies.ts'

/** The state that the room returns to if the deletion is cancelled before the region has started it. */
const input = z.object({
  before: z.enum(['DEFAULT', 'SUSPENDED', 'ERROR']),
  errorReasonsBefore: reasonList.nullable(),
  errorCodeBefore: z.enum(['lost']).nullable(),
  withoutBackup: z.boolean(),
})
type Input = z.infer<typeof input>

export const deleteRoom = operation<Input>({
  kind: 'room.delete',
  version: 1,
  process: 'Delete PR',
  input,
  takesSlot: true,
  whenFailed: 'keep',
  managedBy: 'admin',
  steps: [
    ...lastBackupSteps,
    {
      ...deletionStep,
      run: deleteOnRegion,
      undo: noUndo,
      pointOfNoReturn: true,
    },
  ],
  async done(tx, record) {
    const { id, roomId, input, startedBy } = record
    if (roomId === null) return
    const days = (await outputOfStep(tx, id, backUpLast))?.keptDays ?? 0
    if (days > 0)
      await keepDeletedRoom(tx, { roomId, state: await stateBefore(tx, id, input), deletedBy: startedBy, days })
    await removeRoom(tx, roomId, { kind: 'room.deleted', operation: record })
    await expireBackupsOfRoom(tx, roomId, days > 0 ? days : undefined)
  },
  failed: async (tx, { roomId, input: { errorCodeBefore: errorCode } }, error) => {
    const change = { from: ['MARKED_FOR_DELETION'], to: 'ERROR', error, errorCode } as const
    await changeState(tx, roomId, change, { kind: 'room.work-ended' })
  },
  cancelled: async (tx, { roomId, input }) => {
    const { before, errorCodeBefore: errorCode } = input
    const error = input.errorReasonsBefore as Reasons | null
    const change = { from: ['MARKED_FOR_DELETION'], to: before, error, errorCode } as const
    await changeState(tx, roomId, change, { kind: 'room.work-ended' })
  },
  retrying: async (tx, { id, roomId, roomName }, isFinishingUndo) => {
    if (!isFinishingUndo) await backUpAnew(tx, id)
    const change = { from: ['ERROR'], to: 'MARKED_FOR_DELETION' } as const
    const name = await changeState(tx, roomId, change, { kind: 'room.work-began' })
    if (name === null) throw refuse('wrong-state', { reason: because('room-not-in-error', { room: roomName }) })
  },
})

/** Of a room in ERROR its region tells. */
async function stateBefore(tx: Tx, operationId: string, { before }: Input): Promise<Input['before']> {
  if (before !== 'ERROR') return before
  const { state = null, wasActive = false } = (await outputOfStep(tx, operationId, lookAtRoom)) ?? {}
  return state === 'suspended' && !wasActive ? 'SUSPENDED' : before
}

async function deleteOnRegion(call: StepCall<Input>): Promise<void> {
  if (call.roomId === null) throw new StepFailed(because('operation-without-room'))
  const room = await findRoomOfSteps(call.services.db, call.roomId)
  const region = await call.services.connectRegion(room.regionId, call.signal)
  // Once more: this step may begin long after the one before, when its worker has died.
  await requireLastBackup(call)
  const existed = await deleteOwnRoom(call, region, room, deletionJob)
  await call.log([because(existed ? 'log-deleted' : 'log-not-there')])
  const isContentKnown = call.input.errorCodeBefore === null && (existed || hasLastBackup(call))
  await removeFormerCopies(call, room, isContentKnown)
  await removeRedirects(call, room)
}

/**
 * Removes the room's redirects from the regions that it moved away from. An unreachable region does not block the
 * deletion.
 */
async function removeRedirects(call: StepCall<Input>, room: RoomOfSteps): Promise<void> {
  const { db, connectRegion } = call.services
  for (const { regionId } of await redirectsOfRoom(db, room.id)) {
    try {
      const region = await connectRegion(regionId, call.signal)
      await region.deleteRoute(room.name, call.mark)
      await call.transaction((tx) => forgetRedirect(tx, room.id, regionId))
    } catch (error) {
      call.signal.throwIfAborted()
      if (!(error instanceof RegionRefusal || error instanceof RegionUnreachable)) throw error
      await call.log([because('log-redirect-stays'), toldByRegion(error)], 'warning')
    }
  }
}
