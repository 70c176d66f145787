/**
 * Removes every file of a room from the stores, then everything that the regions have of it, and looks for all of it
 * again.
 */
import { because, type PurgedThing, purgedThing } from '@roomkeeper/contract'
import { z } from 'zod'
import { removeBackupFile, sizeOfBackup, whileRemoving } from '#backups/index.ts'
import { noUndo, StepFailed, step } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { databaseTimestamp } from '#platform/database-time.ts'
import { refuseCallsOf } from '#regions/index.ts'
import { earlierOperations } from '../deleted/deleted-rooms.ts'
import {
  type FileOfRoom,
  findTraces,
  type PurgeCall,
  type PurgeInput,
  prefixesOf,
  purgeOnRegion,
  unrecordedFiles,
  unrecordedObjects,
} from './find-traces.ts'

const removedThings = z.array(purgedThing)

export const removeBackups = step<PurgeInput, PurgedThing[]>({
  id: 'remove-backups',
  title: 'remove all its backups',
  output: removedThings,
  pointOfNoReturn: true,
  async run(call) {
    const { db } = call.services
    const { roomId } = call.input
    const files = await noteBegun(call)
    const removed: PurgedThing[] = []
    for (const file of files) {
      const remove = async () => {
        await removeBackupFile(call.services, asBackup(file))
        // At once: a record without its file is an alarm.
        await queryRows(db, forgetFile[file.kind === 'upload' ? 'upload' : 'backup'], [roomId, file.location])
      }
      const [recorded] = await queryRows<{ id: string }>(db, recordOfFile, [roomId, file.location])
      // While another operation reads it, this is tried again.
      await (recorded === undefined ? remove() : whileRemoving(db, recorded.id, remove))
      removed.push({ ...file, removedAt: await databaseTimestamp(call.services.db) })
    }
    await removeUnfinished(call)
    return removed
  },
  undo: noUndo,
})

/**
 * Removes what processes were storing when they died. No process stores anything of this room any more, so the time
 * when a process began and the store's clock do not matter.
 * @returns the prefixes under which there was any
 */
async function removeUnfinished({ services: { files }, input: { roomId } }: PurgeCall): Promise<string[]> {
  const inAnHour = new Date(Date.now() + 3_600_000)
  const found: string[] = []
  for (const prefix of prefixesOf(roomId)) if ((await files.removeUnfinished(prefix, inAnHour)) > 0) found.push(prefix)
  return found
}

const recordOfFile = `select id from room_backups where room_id = $1 and location = $2
  union all select id from database_backups where room_id = $1 and store_key = $2`

const forgetFile = {
  upload: 'delete from uploads where store_key = $2 and $1::uuid is not null',
  backup: `with room as (delete from room_backups where room_id = $1 and location = $2)
    delete from database_backups where room_id = $1 and store_key = $2`,
}

/**
 * Before the first file is gone: from now on the room cannot come back.
 * @returns also the files of earlier purges that have failed
 */
function noteBegun(call: PurgeCall): Promise<FileOfRoom[]> {
  const { deletedRoomId: id, roomId } = call.input
  return call.transaction(async (tx) => {
    const [row] = await queryRows<{ files: FileOfRoom[] }>(
      tx,
      'select purged_files as files from deleted_rooms where id = $1 for update',
      [id],
    )
    if (row === undefined || (await isAmongRooms(tx, roomId))) throw new StepFailed(because('no-longer-among-deleted'))
    const earlier = new Set(row.files.map(({ location }) => location))
    const files = [...row.files, ...call.output(findTraces).files.filter(({ location }) => !earlier.has(location))]
    await queryRows(
      tx,
      'update deleted_rooms set purge_begun_at = coalesce(purge_begun_at, now()), purged_files = $2 where id = $1',
      [id, JSON.stringify(files)],
    )
    return files
  })
}

/** A region may have brought it back, and an operator may have adopted it. */
export async function isAmongRooms(tx: Tx, roomId: string): Promise<boolean> {
  return (await queryRows(tx, 'select 1 from rooms where id = $1', [roomId])).length > 0
}

export const purgeRegions = step<PurgeInput, PurgedThing[]>({
  id: 'purge-regions',
  title: 'remove what the regions still have of it',
  output: removedThings,
  async run(call) {
    const earlier = await earlierOperations(call.services.db, call.input.roomId, call.id)
    const removed: PurgedThing[] = []
    for (const region of call.output(findTraces).regions) {
      const client = await call.services.connectRegion(region.id, call.signal)
      // What is still on its way would bring something back.
      await refuseCallsOf(client, earlier, call.mark)
      const found = await purgeOnRegion(call, region, { name: 'purge', sent: call.output(findTraces).sent })
      await call.log([because('log-purged', { region: region.name, ...found })])
      removed.push({
        kind: 'region',
        location: region.name,
        size: null,
        sha256: null,
        removedAt: await databaseTimestamp(call.services.db),
      })
    }
    return removed
  },
  undo: noUndo,
})

export const recheck = step<PurgeInput, { lookedAgainAt: string }>({
  id: 'recheck',
  title: 'check again',
  output: z.object({ lookedAgainAt: z.iso.datetime() }),
  async run(call) {
    for (const file of call.output(removeBackups))
      if ((await sizeOfBackup(call.services, asBackup(file))) !== null) throw stillThere(file)
    for (const file of [...(await unrecordedFiles(call)), ...(await unrecordedObjects(call))]) throw stillThere(file)
    for (const prefix of await removeUnfinished(call)) throw stillThere({ location: prefix })
    const { regions, sent } = call.output(findTraces)
    for (const region of regions) {
      const { copies, kept, files } = await purgeOnRegion(call, region, { name: 'purge-again', sent })
      if (copies + kept + files > 0) throw new StepFailed(because('still-in-region', { region: region.name }))
    }
    await call.log([because('log-nothing-found-again')])
    return { lookedAgainAt: await databaseTimestamp(call.services.db) }
  },
  undo: noUndo,
})

function stillThere({ location }: Pick<FileOfRoom, 'location'>): StepFailed {
  return new StepFailed(because('still-in-store', { location }))
}

/** All but D2O backups lie in the same store as classic backups of rooms. */
function asBackup({ kind, location }: Pick<FileOfRoom, 'kind' | 'location'>) {
  return { kind: kind === 'object' ? ('d2o' as const) : ('classic' as const), location }
}
