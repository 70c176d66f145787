/**
 * Deletes a room with everything in it, first on the region and where moves have left copies, then in the console, after
 * a last backup from which it can come back. A room that the region does not have counts as deleted. A failure leaves the
 * room in ERROR, and the operation can be retried.
 */
import { because, type CodedReason, type Reasons, reasonList } from '@roomkeeper/contract'
import { RegionRefusal, RegionUnreachable } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { expireBackupsOfRoom } from '#backups/index.ts'
import {
  noUndo,
  operation,
  outputOfStep,
  reasonsOf,
  type StepCall,
  StepFailed,
  toldByRegion,
} from '#operations/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { Refusal, refuse } from '#platform/refuse.ts'
import { forgetRedirect, isRegionError, redirectsOfRoom, runRegionJob, shortLimits } from '#regions/index.ts'
import { changeState, removeRoom } from '../../change-state.ts'
import { keepDeletedRoom } from '../../deleted/deleted-rooms.ts'
import { findRoomOfSteps, type RoomOfSteps } from '../../stored-room.ts'
import {
  backUpAnew,
  backUpLast,
  deletionJob,
  deletionStep,
  hasLastBackup,
  lastBackupSteps,
  lookAtRoom,
  requireLastBackup,
} from './last-backup.ts'
import { deleteOwnRoom } from './region-steps.ts'

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

interface FormerCopy {
  regionId: number
  regionName: string
  /** Of the lock that may still be on it. */
  holder: string | null
  /** Whether its clean-up has found that the room was lost. */
  hadAlarm: boolean
}

/**
 * Removes what moves of a deleted room have left of it in other regions, because their clean-up was cancelled or has
 * failed. A copy in which users may have worked since, or which may hold what the room itself has lost, stays. That does
 * not keep the room from being deleted; the log says what stays, and where.
 * @param isContentKnown whether the room itself was there or is in a last backup, so that its copies are not needed
 */
async function removeFormerCopies(call: StepCall<unknown>, room: RoomOfSteps, isContentKnown: boolean): Promise<void> {
  for (const copy of await formerCopies(call.services.db, room)) {
    const { regionName: region } = copy
    const stays = (...why: CodedReason[]) => call.log([because('log-former-copy-stays', { region }), ...why], 'warning')
    try {
      const outcome = await removeCopy(call, room, copy, isContentKnown)
      if (outcome === 'removed') await call.log([because('log-former-copy-removed', { region })])
      else if (outcome !== 'not there') await stays(outcome)
    } catch (error) {
      call.signal.throwIfAborted()
      if (!(isRegionError(error) || error instanceof Refusal)) throw error
      await stays(...reasonsOf(error))
    }
  }
}

async function removeCopy(
  call: StepCall<unknown>,
  { id: roomId, name: room }: RoomOfSteps,
  { regionId, holder, hadAlarm }: FormerCopy,
  isContentKnown: boolean,
): Promise<CodedReason | 'removed' | 'not there'> {
  const region = await call.services.connectRegion(regionId, call.signal)
  const found = await region.room(room)
  if (found !== null && found.roomId !== roomId) return 'not there'
  if (found !== null && (hadAlarm || !isContentKnown)) return because('former-copy-needed')
  if (found?.state === 'active') return because('former-copy-open')
  // The region no longer lists a room whose deletion was interrupted, but the job completes that deletion.
  const job = { type: 'deleteRoom', room, roomId, ...(holder === null ? {} : { holder }) } as const
  const { existed } = await runRegionJob(call, region, job, `delete-former-${regionId}`, shortLimits)
  return existed ? 'removed' : 'not there'
}

/** The newest clean-up in each region says whose lock there may be. Running clean-ups are left out. */
function formerCopies(db: Db, { id, regionId }: RoomOfSteps): Promise<FormerCopy[]> {
  return queryRows<FormerCopy>(
    db,
    `select distinct on (o.region_id) r.id as region_id, r.name as region_name, o.input ->> 'holder' as holder,
           coalesce(o.failure ->> 'failureCode' = 'lost', false) as had_alarm
       from operations o join regions r on r.id = o.region_id
      where o.room_id is null and o.input ? 'roomId' and o.input ->> 'roomId' = $1
        and o.kind in ('migration.leave-source', 'migration.leave-target')
        and o.state in ('cancelled', 'failed') and o.region_id <> $2
      order by o.region_id, o.n desc`,
    [id, regionId],
  )
}
