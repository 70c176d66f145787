/**
 * Keeps users out of a room from before its last backup until it is deleted, so that the backup has all of it. When the
 * deletion fails or is cancelled, they are let in again.
 */
import { because } from '@roomkeeper/contract'
import { z } from 'zod'
import { noUndo, outputOfStep, type StepRef, step } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'
import { stopRegionJob } from '#regions/index.ts'
import { isHalfBroughtBack } from '../../deleted/keep-deleted-room.ts'
import { type RoomCall, targetOf } from '../../steps/room-call.ts'
import { resumeOnRegion, suspendOnRegion } from './state-steps.ts'

/** What of a deletion's input says how its room is backed up. */
export interface DeletionInput {
  /** The state before the deletion. */
  before: 'DEFAULT' | 'SUSPENDED' | 'ERROR'
  withoutBackup: boolean
}

export const deletionJob = 'delete-room'
export const deletionStep = { id: 'delete-room', title: 'delete the room on the region' }

/**
 * `state`: how its region has the room; null: not at all, or no backup is wanted. `wasActive`: so this or an earlier attempt
 * has found it, which may have kept users out since.
 */
const lookedAt = z.object({
  keptDays: z.int(),
  state: z.enum(['active', 'suspended']).nullable(),
  wasActive: z.boolean(),
})
const looked: StepRef<z.infer<typeof lookedAt>> = { id: 'check-room', output: lookedAt }

export const lookAtRoom = step<DeletionInput, z.infer<typeof lookedAt>>({
  ...looked,
  title: 'check the room on the region',
  async run(call) {
    const { room, region } = await targetOf(call)
    const { keepDeletedDays: keptDays, db } = call.services
    const wasActive = (call.attempt > 1 && (await wasFoundActive(call))) || (await wasActiveBeforeFailure(call))
    if (keptDays === 0 || call.input.withoutBackup || (await isHalfBroughtBack(db, room.id))) {
      await call.log([because('log-no-last-backup')])
      return { keptDays, state: null, wasActive }
    }
    const found = await region.room(room.name)
    if (found?.roomId === room.id)
      return { keptDays, state: found.state, wasActive: wasActive || found.state === 'active' }
    await call.log([because('log-not-there')])
    return { keptDays, state: null, wasActive }
  },
  undo: noUndo,
})

async function wasFoundActive({ services, id }: RoomCall<DeletionInput>): Promise<boolean> {
  return (await outputOfStep(services.db, id, looked))?.wasActive === true
}

/** Whether a deletion before this one, which failed, has found it active, and nothing was done with the room since. */
async function wasActiveBeforeFailure({ services, id, roomId, input }: RoomCall<DeletionInput>): Promise<boolean> {
  if (input.before !== 'ERROR') return false
  const found = await queryRows(
    services.db,
    `select from (select id, kind, state from operations where room_id = $1 and id <> $2 order by n desc limit 1) o
      join operation_steps s on s.operation_id = o.id and s.step_id = $3
     where o.kind = 'room.delete' and o.state = 'failed' and s.output @> '{"wasActive": true}'`,
    [roomId, id, looked.id],
  )
  return found.length > 0
}

export const keepUsersOut = {
  id: 'suspend-room',
  title: 'suspend the room on the region',
  async run(call: RoomCall<DeletionInput>): Promise<void> {
    if (call.output(lookAtRoom).state === 'active') await suspendOnRegion(call)
  },
  async undo(call: RoomCall<DeletionInput>): Promise<void> {
    if (!(await wasFoundActive(call))) return
    const { room, region } = await targetOf(call)
    // A deletion that is still on its way would remove what users do from now on.
    await stopRegionJob(call, region, deletionJob)
    if ((await region.room(room.name))?.roomId === room.id) await resumeOnRegion(call)
  },
  temporary: true as const,
}
