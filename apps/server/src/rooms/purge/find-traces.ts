/** Finds every file that there is of a deleted room, and the regions that have to be asked for more. */
import { because, purgedThing } from '@roomkeeper/contract'
import { z } from 'zod'
import { nothing, step } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'
import type { RoomServices } from '../steps/room-services.ts'
import type { PurgeCall, PurgeInput } from './purge-call.ts'

const file = purgedThing.omit({ removedAt: true })
/** A file of the room in the backup store or in an object store. */
export type FileOfRoom = z.output<typeof file>
const region = z.object({ id: z.int(), name: z.string() })
export type RegionToAsk = z.output<typeof region>
const traces = z.object({ files: z.array(file), regions: z.array(region), backupIds: z.array(z.uuid()) })
type Traces = z.output<typeof traces>

/** Fails while a region cannot be reached, so that nothing is removed then. */
export const findTraces = step<PurgeInput, RoomServices, Traces>({
  id: 'find-traces',
  title: 'find everything there is of the room',
  output: traces,
  async run(call) {
    const { db, connectRegion } = call.services
    const regions = await regionsToAsk(call)
    for (const { id } of regions) await (await connectRegion(id, call.signal)).status()
    const files = await findFiles(call)
    const backupIds = await queryRows<{ id: string }>(db, 'select id from room_backups where room_id = $1', [
      call.input.roomId,
    ])
    await call.log([because('log-traces-found', { files: files.length, regions: regions.length })])
    return { files, regions, backupIds: backupIds.map(({ id }) => id) }
  },
  undo: nothing,
})

/** All of them: where a room has been is not recorded for as long as it may have left something there. */
function regionsToAsk({ services: { db } }: PurgeCall): Promise<RegionToAsk[]> {
  return queryRows<RegionToAsk>(db, 'select id, name from regions order by id')
}

async function findFiles(call: PurgeCall): Promise<FileOfRoom[]> {
  const recorded = await queryRows<FileOfRoom>(call.services.db, recordedFiles, [call.input.roomId])
  const known = new Set(recorded.map(({ location }) => location))
  const others = await unrecordedFiles(call)
  return [...recorded, ...others.filter(({ location }) => !known.has(location))]
}

/** Uploads are known to belong to the room by the operations that were started with them. */
const recordedFiles = `
  select case kind when 'classic' then 'backup' else 'object' end as kind, location, size, sha256
    from room_backups where room_id = $1
  union all
  select 'database-backup', store_key, size, sha256 from database_backups where room_id = $1
  union all
  select 'upload', store_key, size, sha256 from uploads u
   where exists (select from operations o where o.room_id = $1 and position(u.name in o.input::text) > 0)`

/** What an attempt that was cut off may have left under the keys of this room. */
export async function unrecordedFiles({ services: { files }, input: { roomId } }: PurgeCall): Promise<FileOfRoom[]> {
  const found: FileOfRoom[] = []
  for (const [kind, prefix] of [
    ['backup', `rooms/${roomId}/`],
    ['database-backup', `databases/${roomId}/`],
  ] as const)
    for await (const { key: location } of files.list(prefix)) {
      const size = (await files.stat(location))?.size ?? null
      found.push({ kind, location, size, sha256: null })
    }
  return found
}
