/**
 * The steps that back a room up before it is deleted, unless nobody wants a backup or the region does not have the room.
 * What they have done stays when the deletion fails: a retry goes on with the backup that there is.
 */
import { because } from '@roomkeeper/contract'
import { z } from 'zod'
import { forgetRoomBackup, recordRoomBackup } from '#backups/index.ts'
import { nothing, type Step, type StepRef, step } from '#operations/index.ts'
import { keyPerAttempt } from '../../steps/backup-keys.ts'
import { fetchFromRegion, isFileUnknown, type RegionFileMade, regionFile } from '../../steps/files-of-regions.ts'
import { fetchedFile, fetchUnlessStored, readBack, readBackAt, removeStored } from '../../steps/keep-backup.ts'
import { type RoomCall, stopJob, targetOf } from '../../steps/room-call.ts'
import type { RoomServices } from '../../steps/room-services.ts'
import { type MadeBackup, madeBackup, packIntoStore } from '../../steps/store-while-packed.ts'

interface Wish {
  withoutBackup: boolean
}
type LastCall = RoomCall<Wish>

/** `made`: null when there is no backup to keep. `key`: where it is stored, also when a retry goes on with it. */
const lastBackup = z.object({ keptDays: z.int(), made: madeBackup.nullable(), key: z.string() })
type LastBackup = z.infer<typeof lastBackup>

const jobName = 'last-backup'
const jobAgain = 'last-backup-again'
const keysOfAttempts = keyPerAttempt<Wish>((call) => `rooms/${call.roomId}/${call.id}.zip`)

export const backUpLast = step<Wish, RoomServices, LastBackup>({
  id: 'make-backup',
  title: 'make the backup on the region',
  output: lastBackup,
  async run(call) {
    const { keepDeletedDays: keptDays } = call.services
    const [key] = keysOfAttempts(call)
    const none = { keptDays, made: null, key }
    if (keptDays === 0 || call.input.withoutBackup) {
      await call.log([because('log-no-last-backup')])
      return none
    }
    const { room, region } = await targetOf(call)
    if ((await region.room(room.name))?.roomId === room.id)
      return { ...none, made: await packIntoStore(call, jobName, key) }
    await call.log([because('log-not-there')])
    return none
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
const storing = fetchUnlessStored<Wish>(madeForStore, keysOf)

const storeLast = step<Wish, RoomServices, RegionFileMade | null>({
  id: storing.id,
  title: storing.title,
  output: regionFile.nullable(),
  async run(call) {
    if (call.output(backUpLast).made === null) return null
    return storing.run(call).catch((error: unknown) => {
      // A region keeps its files for a day, and the deletion may be retried later than that.
      if (!isFileUnknown(error)) throw error
      return backUpAgain(call)
    })
  },
  undo: (call) => stopAndRemove(call, jobAgain),
})

const readLastBack = step<Wish, RoomServices, { verifiedAt: string | null }>({
  id: 'read-backup-back',
  title: 'read the backup back',
  output: z.object({ verifiedAt: z.string().nullable() }),
  run: async (call) => (call.output(storeLast) === null ? { verifiedAt: null } : readBack(call, keysOf(call)[0])),
  undo: nothing,
})

export const lastBackupSteps: Step<Wish, RoomServices>[] = [
  backUpLast,
  storeLast,
  readLastBack,
  {
    id: 'record-backup',
    title: 'record the backup',
    run: record,
    undo: (call) => call.transaction((tx) => forgetRoomBackup(tx, call.id)),
  },
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
    // Also when the region cannot be asked.
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
  const kept = { kind: 'classic', location: keysOf(call)[0], size, sha256, verifiedAt: readBackAt(call) } as const
  await call.transaction((tx) => recordRoomBackup(tx, { ...kept, id: call.id, roomId: room.id, roomName: room.name }))
}
