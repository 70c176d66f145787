/** Removes every file of a room from the stores, then whatever the regions have of it, and looks for all of it again. */
import { because, type PurgedThing, purgedThing } from '@roomkeeper/contract'
import type { RegionClient } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { removeBackupFile, sizeOfBackup } from '#backups/index.ts'
import { nothing, StepFailed, step } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'
import { isUnknownJob, refuseCallsOf, runRegionJob } from '#regions/index.ts'
import { earlierOperations } from '../steps/refuse-earlier.ts'
import type { RoomServices } from '../steps/room-services.ts'
import { type FileOfRoom, findTraces, type RegionToAsk, unrecordedFiles } from './find-traces.ts'
import type { PurgeCall, PurgeInput } from './purge-call.ts'

const removedThings = z.array(purgedThing)

export const removeBackups = step<PurgeInput, RoomServices, PurgedThing[]>({
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
      await removeBackupFile(call.services, asBackup(file))
      removed.push({ ...file, removedAt: new Date().toISOString() })
    }
    const names = removed.flatMap(({ kind, location }) => (kind === 'upload' ? [location] : []))
    await queryRows(db, 'delete from uploads where store_key = any($1::text[])', [names])
    await queryRows(db, 'delete from room_backups where room_id = $1', [roomId])
    await queryRows(db, 'delete from database_backups where room_id = $1', [roomId])
    return removed
  },
  undo: nothing,
})

/**
 * Before the first file is gone: from now on the room cannot come back.
 * @returns also the files of earlier purges that have failed
 */
function noteBegun(call: PurgeCall): Promise<FileOfRoom[]> {
  const { deletedRoomId: id } = call.input
  return call.transaction(async (tx) => {
    const [row] = await queryRows<{ files: FileOfRoom[] }>(
      tx,
      'select purged_files as files from deleted_rooms where id = $1 for update',
      [id],
    )
    if (row === undefined) throw new StepFailed(because('no-longer-among-deleted'))
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

export const purgeRegions = step<PurgeInput, RoomServices, PurgedThing[]>({
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
      const found = await purgeOnRegion(call, region, client, 'purge')
      await call.log([because('log-purged', { region: region.name, ...found })])
      removed.push({
        kind: 'region',
        location: region.name,
        size: null,
        sha256: null,
        removedAt: new Date().toISOString(),
      })
    }
    return removed
  },
  undo: nothing,
})

export const lookAgain = step<PurgeInput, RoomServices, { lookedAgainAt: string }>({
  id: 'look-again',
  title: 'look again',
  output: z.object({ lookedAgainAt: z.iso.datetime() }),
  async run(call) {
    for (const file of call.output(removeBackups))
      if ((await sizeOfBackup(call.services, asBackup(file))) !== null) throw stillThere(file)
    for (const file of await unrecordedFiles(call)) throw stillThere(file)
    for (const region of call.output(findTraces).regions) {
      const client = await call.services.connectRegion(region.id, call.signal)
      const { copies, kept, files } = await purgeOnRegion(call, region, client, 'purge-again')
      if (copies + kept + files > 0) throw new StepFailed(because('still-in-region', { region: region.name }))
    }
    await call.log([because('log-nothing-found-again')])
    return { lookedAgainAt: new Date().toISOString() }
  },
  undo: nothing,
})

function stillThere({ location }: Pick<FileOfRoom, 'location'>): StepFailed {
  return new StepFailed(because('still-in-store', { location }))
}

/** All but D2O backups lie in the same store as classic backups of rooms. */
function asBackup({ kind, location }: Pick<FileOfRoom, 'kind' | 'location'>) {
  return { kind: kind === 'object' ? ('d2o' as const) : ('classic' as const), location }
}

async function purgeOnRegion(call: PurgeCall, region: RegionToAsk, client: RegionClient, name: string) {
  const { roomId, roomName: room } = call.input
  // Under these names operations send backups to regions.
  const files = call.output(findTraces).backupIds.flatMap((id) => [id, `verify-${id}`])
  const job = { type: 'purgeRoom', room, roomId, files } as const
  return runRegionJob(call, client, job, `${name}-${region.id}`).catch((error: unknown) => {
    throw isUnknownJob(error) ? new StepFailed(because('region-cannot-purge', { region: region.name })) : error
  })
}
