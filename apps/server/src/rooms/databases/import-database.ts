/** Adds the database of an uploaded .adb to a room. The region imports it completely or not at all. */
import { because, type Edition } from '@roomkeeper/contract'
import { z } from 'zod'
import { noUndo, operation, StepFailed } from '#operations/index.ts'
import { runRegionJob, stopRegionJob } from '#regions/index.ts'
import { unchangedRoom, withUploads } from '../steps/outcomes.ts'
import { sendUpload } from '../steps/restore-steps.ts'
import { type RoomCall, targetOf } from '../steps/room-call.ts'

/** `upload` is the temporary name of the file; `sealed.password` protects the .adb. */
const input = z.object({ database: z.string(), upload: z.string(), sealed: z.object({ password: z.string() }) })
type Input = z.infer<typeof input>
const jobName = 'import'

export const importDatabase = operation<Input>({
  kind: 'database.import',
  version: 1,
  process: 'Restore DB',
  input,
  takesSlot: true,
  whenFailed: 'undo',
  managedBy: 'admin',
  uselessRetries: {
    'wrong-export-password': because('other-password-needed'),
    'file-not-usable': because('other-file-needed'),
  },
  steps: [
    { id: 'check-databases', title: 'check the databases of the room', run: checkDatabases, undo: noUndo },
    {
      id: 'send-database',
      title: 'send the database to the region',
      run: (call) => sendUpload(call, call.input.upload),
      undo: noUndo,
    },
    { id: 'import-database', title: 'import the database on the region', run: importOnRegion, undo: removeImported },
  ],
  ...withUploads<Input>(unchangedRoom, ({ upload }) => [upload]),
})

const reasonCodes = { 'database-taken': 'database-name-used', 'single-database': 'only-one-database' } as const

/** Checks again, because the operation may have waited in the queue since the request was checked. */
async function checkDatabases(call: RoomCall<Input>): Promise<void> {
  const { room, region } = await targetOf(call)
  const present = (await region.databases(room.name)).map((each) => each.name)
  const reason = whyNotImport(room, present, call.input.database)
  if (reason !== null) throw new StepFailed(because(reasonCodes[reason]))
}

async function importOnRegion(call: RoomCall<Input>): Promise<void> {
  const { room, region } = await targetOf(call)
  const { database, upload: file, sealed } = call.input
  const password = call.services.secrets.open(sealed.password).reveal()
  const job = { type: 'importDatabase', room: room.name, roomId: room.id, database, file, password } as const
  await runRegionJob(call, region, job, jobName)
  await call.log([because('log-database-there', { database })])
}

/** The first step made sure that the database did not exist before the import, so deleting it loses nothing else. */
async function removeImported(call: RoomCall<Input>): Promise<void> {
  const { room, region } = await targetOf(call)
  if (!(await stopRegionJob(call, region, jobName))) return
  const job = { type: 'deleteDatabase', room: room.name, roomId: room.id, database: call.input.database } as const
  await runRegionJob(call, region, job, 'remove')
}

/** Every new room starts with this database, so it does not count as imported. */
const firstDatabase = 'main'

/** Why no database of this name can be added to a room that has the `present` ones, or null. */
export function whyNotImport(
  room: { edition: Edition },
  present: readonly string[],
  wanted: string,
): 'single-database' | 'database-taken' | null {
  const sameName = present.some((name) => name.toLowerCase() === wanted.toLowerCase())
  if (sameName) return 'database-taken'
  const imported = present.filter((name) => name !== firstDatabase)
  return room.edition === 'basic' && imported.length > 0 ? 'single-database' : null
}
