/**
 * The steps that back a room up before it is deleted, unless no backup is wanted or the region does not have the room.
 * Users are kept out meanwhile, so that the backup has all of it. When the deletion fails they are let in again, so a
 * retry begins anew: it takes another backup, which replaces that of the attempt before, unless its deletion may have
 * taken effect.
 */
import { randomUUID } from 'node:crypto'
import { because } from '@roomkeeper/contract'
import { z } from 'zod'
import { forgetRoomBackupsAt, isKnownBad, recordRoomBackup } from '#backups/index.ts'
import { noUndo, outputOfStep, type Step, StepFailed, type StepRef, stateOfStep, step } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { stateOfJob, stopRegionJob } from '#regions/index.ts'
import { isHalfBroughtBack } from '../../deleted/deleted-rooms.ts'
import { keyPerAttempt } from '../../steps/backup-keys.ts'
import { fetchFromRegion, isFileUnknown, type RegionFileMade, regionFile } from '../../steps/files-of-regions.ts'
import { type RoomCall, roomIdOf, stopJob, targetOf } from '../../steps/room-call.ts'
import { fetchedFile, fetchUnlessStored, readBack, readBackAt, removeStored } from '../../steps/store-and-read-back.ts'
import { type MadeBackup, madeBackup, packIntoStore } from '../../steps/store-while-packed.ts'
import { resumeOnRegion, suspendOnRegion } from './region-steps.ts'

/** What of a deletion's input says how its room is backed up. */
interface DeletionInput {
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

/** From before the backup until the room is deleted. */
const keepUsersOut = {
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

type LastCall = RoomCall<DeletionInput>

/** `made`: null when there is no backup to keep. `key`: where it is stored, also when a retry goes on with it. */
const lastBackup = z.object({ keptDays: z.int(), made: madeBackup.nullable(), key: z.string() })
type LastBackup = z.infer<typeof lastBackup>

const jobName = 'last-backup'
const jobAgain = 'last-backup-again'
const keysOfAttempts = keyPerAttempt<DeletionInput>((call) => `rooms/${call.roomId}/${call.id}.zip`)

export const backUpLast = step<DeletionInput, LastBackup>({
  id: 'make-backup',
  title: 'make the backup on the region',
  output: lastBackup,
  async run(call) {
    const { keptDays, state } = call.output(lookAtRoom)
    const [key] = keysOfAttempts(call)
    return { keptDays, key, made: state === null ? null : await packIntoStore(call, jobName, key) }
  },
  undo: (call) => stopAndRemove(call, jobName),
})

const madeForStore: StepRef<MadeBackup> = {
  id: backUpLast.id,
  output: lastBackup.transform(({ made }) => {
    if (made === null) throw new Error('There is no last backup.')
    return made
  }),
}
const storing = fetchUnlessStored<DeletionInput>(madeForStore, keysOf)

const storeLast = step<DeletionInput, RegionFileMade | null>({
  id: storing.id,
  title: storing.title,
  output: regionFile.nullable(),
  async run(call) {
    if (call.output(backUpLast).made === null) return null
    return storing.run(call).catch((error: unknown) => {
      // A region keeps its files for a day, and this step may be repeated later than that.
      if (!isFileUnknown(error)) throw error
      return backUpAgain(call)
    })
  },
  undo: (call) => stopAndRemove(call, jobAgain),
})

const readLastBack = step<DeletionInput, { readBackAt: string | null }>({
  id: 'read-backup-back',
  title: 'read the backup back',
  output: z.object({ readBackAt: z.string().nullable() }),
  run: async (call) => (call.output(storeLast) === null ? { readBackAt: null } : readBack(call, keysOf(call)[0])),
  undo: noUndo,
})

export const lastBackupSteps: Step<DeletionInput>[] = [
  lookAtRoom,
  keepUsersOut,
  backUpLast,
  storeLast,
  readLastBack,
  {
    id: 'record-backup',
    title: 'record the backup',
    run: record,
    undo: (call) => call.transaction((tx) => forgetRoomBackupsAt(tx, roomIdOf(call), keysOf(call))),
  },
  // Before the deletion has begun, so that its retry can be cancelled when the backup is not there any more.
  { id: 'require-backup', title: 'make sure that the backup is there', run: requireLastBackup, undo: noUndo },
]

/** The key under which the backup lies is the one of the attempt that has made it. */
function keysOf(call: LastCall): readonly [string, ...string[]] {
  const keys = keysOfAttempts(call)
  const key = call.outputIfDone(backUpLast)?.key
  return key === undefined ? keys : [key, ...keys.filter((each) => each !== key)]
}

async function stopAndRemove(call: LastCall, job: string): Promise<void> {
  try {
    await stopJob(job)(call)
  } finally {
    // This happens even when the region cannot be asked.
    await removeStored(call, keysOf)
  }
}

async function backUpAgain(call: LastCall): Promise<RegionFileMade> {
  const { region } = await targetOf(call)
  const [key] = keysOf(call)
  const { isStored, ...made } = await packIntoStore(call, jobAgain, key)
  if (!isStored) await fetchFromRegion(call, region, made, key)
  return made
}

async function record(call: LastCall): Promise<void> {
  if (call.output(storeLast) === null) return
  const { room } = await targetOf(call)
  const { size, sha256 } = fetchedFile(call)
  const kept = { kind: 'classic', size, sha256, readBackAt: readBackAt(call) } as const
  const [key, ...earlier] = keysOf(call)
  const superseded = await supersededOf(call, earlier)
  if (superseded.length < earlier.length) await call.log([because('log-former-backups-stay')], 'warning')
  await call.transaction(async (tx) => {
    await forgetRoomBackupsAt(tx, room.id, [key, ...superseded])
    // What was found about the backup of an attempt before this one says nothing about this one.
    const id = call.attempt === 1 ? call.id : randomUUID()
    await recordRoomBackup(tx, { ...kept, location: key, id, roomId: room.id, roomName: room.name })
  })
  for (const file of superseded) await call.services.files.remove(file)
}

const mostFormer = 2

/**
 * Once a deletion was sent, the room that is there now may be an older one: its region's server may have been put back to
 * an earlier state. Then the newest whole backups of earlier attempts stay, and expire with the room.
 */
async function supersededOf(call: LastCall, earlier: readonly string[]): Promise<string[]> {
  const { db } = call.services
  if (earlier.length === 0 || (await stateOfStep(db, call.id, deletionStep)) === 'open') return [...earlier]
  const kept = await queryRows<{ location: string }>(
    db,
    'select location from room_backups where room_id = $1 and location = any($2) order by created_at desc limit $3',
    [call.roomId, earlier, mostFormer],
  )
  return earlier.filter((key) => kept.every(({ location }) => location !== key))
}

/** Whether this attempt of the deletion has taken a last backup. */
export function hasLastBackup(call: LastCall): boolean {
  return (call.outputIfDone(storeLast) ?? null) !== null
}

/**
 * Just before the room goes: an administrator may have deleted the backup meanwhile, or the doctor found it altered.
 * @throws StepFailed if it is not there any more as it was made
 */
export async function requireLastBackup(call: LastCall): Promise<void> {
  const made = call.outputIfDone(storeLast)
  if (made === null) return
  const { region } = await targetOf(call)
  // A deletion that has begun has to be finished: nothing else may be left of the room.
  if ((await stateOfJob(call, region, deletionJob)) !== null) return
  const [key] = keysOf(call)
  const [kept] = await queryRows<{ isBad: boolean }>(
    call.services.db,
    `select ${isKnownBad} as is_bad from room_backups b where room_id = $1 and location = $2`,
    [call.roomId, key],
  )
  const found = kept?.isBad === false ? await call.services.files.stat(key) : null
  if (found?.size !== made.size) throw new StepFailed(because('last-backup-lost'))
}

/** Makes a retry begin with the first of these steps again: users may have worked in the room since. */
export async function backUpAnew(tx: Tx, operationId: string): Promise<void> {
  await queryRows(
    tx,
    // Not undone: a cancellation removes what they have left.
    `update operation_steps set state = 'failed' where operation_id = $1 and step_id = any($2) and state = 'done'`,
    [operationId, lastBackupSteps.map(({ id }) => id)],
  )
}
