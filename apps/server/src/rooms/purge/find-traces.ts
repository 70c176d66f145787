/** Finds every file that there is of a deleted room, and the regions that have to be asked for more. */
import { because, purgedThing } from '@roomkeeper/contract'
import { atMost } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { sizeOfBackup } from '#backups/index.ts'
import { noUndo, StepFailed, step } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'
import { runRegionJob } from '#regions/index.ts'
import { fileOfRestore, filesOfTest, keysUntilAttempt } from '../steps/backup-keys.ts'
import type { RoomCall } from '../steps/room-call.ts'

/** What a purge is started with. */
export const purgeInput = z.object({ deletedRoomId: z.uuid(), roomId: z.uuid(), roomName: z.string() })
export type PurgeInput = z.infer<typeof purgeInput>
export type PurgeCall = RoomCall<PurgeInput>

/** A file of the room in the backup store or in an object store. */
const fileOfRoom = purgedThing.omit({ removedAt: true })
export type FileOfRoom = z.output<typeof fileOfRoom>

const region = z.object({ id: z.int(), name: z.string() })
type RegionToAsk = z.output<typeof region>
/** `sent`: under which names operations have sent backups of the room to regions. */
const traces = z.object({ files: z.array(fileOfRoom), regions: z.array(region), sent: z.array(z.string()) })
type Traces = z.output<typeof traces>

/** Fails while a region cannot be reached, or does not know how to purge, so that nothing is removed then. */
export const findTraces = step<PurgeInput, Traces>({
  id: 'find-traces',
  title: 'find everything there is of the room',
  output: traces,
  async run(call) {
    const regions = await regionsToAsk(call)
    const sent = await namesOfSent(call)
    for (const region of regions) await purgeOnRegion(call, region, { name: 'look', sent, look: true })
    const files = await findFiles(call)
    await call.log([because('log-traces-found', { files: files.length, regions: regions.length })])
    return { files, regions, sent }
  },
  undo: noUndo,
})

/** All of them: where a room has been is not recorded for as long as it may have left something there. */
function regionsToAsk({ services: { db } }: PurgeCall): Promise<RegionToAsk[]> {
  return queryRows<RegionToAsk>(db, 'select id, name from regions order by id')
}

/**
 * Also of backups that are gone: regions keep what was sent to them for some days, the records of operations are kept
 * for longer. What jobs have read the regions know themselves, but not every backup that was sent was read.
 */
async function namesOfSent({ services: { db }, input: { roomId } }: PurgeCall): Promise<string[]> {
  const tests = await queryRows<{ id: string; attempt: number }>(
    db,
    `select id, attempt from operations
      where kind = 'backup.verify' and room_id is null and input ? 'roomId' and input ->> 'roomId' = $1`,
    [roomId],
  )
  const others = await queryRows<{ name: string }>(db, sentByOthers, [roomId])
  // Always in the same order, because a job's id stands for what it is to do.
  const restores = await queryRows<{ id: string }>(db, restoredFrom, [roomId])
  const sent = [...tests.flatMap((test) => filesOfTest(test)), ...restores.map(fileOfRestore)]
  return [...others.map(({ name }) => name), ...sent].toSorted()
}

/** Uploads are sent under their own names, also by operations that were cancelled before any job could read them. */
const sentByOthers = `
  select id::text as name from room_backups where room_id = $1::uuid
  union select id || '.adb' from database_backups where room_id = $1::uuid
  union select sent.name from operations o
         cross join lateral (values (input ->> 'backupId'), (input ->> 'upload'), (input ->> 'productUpload'),
                                    (input -> 'backup' ->> 'id' || '.adb')) as sent (name)
         where o.room_id = $1::uuid and sent.name is not null`

/** Also into other rooms, and from backups that are gone. */
const restoredFrom = `
  select id from operations where room_id = $1::uuid and kind = 'room.restore' and input ? 'backupRoomId'
  union
  select id from operations
   where kind = 'room.restore' and input ? 'backupRoomId' and input ->> 'backupRoomId' = ($1::uuid)::text`

async function findFiles(call: PurgeCall): Promise<FileOfRoom[]> {
  const recorded = await queryRows<FileOfRoom>(call.services.db, recordedFiles, [call.input.roomId])
  const known = new Set(recorded.map(({ location }) => location))
  const others = [...(await unrecordedFiles(call)), ...(await unrecordedObjects(call))]
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

/** The prefixes of the keys under which operations store backups of the room and of its databases. */
export function prefixesOf(roomId: string): [string, string] {
  return [`rooms/${roomId}/`, `databases/${roomId}/`]
}

/** What an attempt that was cut off may have left under the keys of this room. */
export async function unrecordedFiles({ services: { files }, input: { roomId } }: PurgeCall): Promise<FileOfRoom[]> {
  const found: FileOfRoom[] = []
  const kinds = ['backup', 'database-backup'] as const
  for (const [index, prefix] of prefixesOf(roomId).entries())
    for await (const { key: location } of files.list(prefix)) {
      const size = (await files.stat(location))?.size ?? null
      found.push({ kind: kinds[index] ?? 'backup', location, size, sha256: null })
    }
  return found
}

/**
 * Objects that regions have written for operations that failed: nothing but the records of the operations knows their
 * keys.
 * @throws Refusal `object-store-not-set`, `object-store-refused`, `object-store-unreachable`: the answer is unknown
 */
export async function unrecordedObjects({ services, input: { roomId } }: PurgeCall): Promise<FileOfRoom[]> {
  const found: FileOfRoom[] = []
  for (const { key, attempt } of await queryRows<{ key: string; attempt: number }>(services.db, written, [roomId]))
    for (const each of keysUntilAttempt(key, attempt)) {
      const { bucket, key: path } = services.objectStore.configuredLocation(each)
      const location = `s3://${bucket}/${path}`
      const size = await sizeOfBackup(services, { kind: 'd2o', location })
      if (size !== null) found.push({ kind: 'object', location, size, sha256: null })
    }
  return found
}

/** Includes operations that were done after a retry: what they wrote may have been forgotten, and be there again. */
const written = `
  select input ->> 'key' as key, attempt from operations
   where room_id = $1 and kind in ('room.backup-d2o', 'room.backup-scheduled-d2o')
     and (state <> 'done' or attempt > 1)`

interface Purge {
  /** The name of the job: a job with another name looks anew. */
  name: string
  /** The names under which backups of the room were sent to regions. */
  sent: string[]
  /** Only looks. */
  look?: true
}

/** Has a region remove, or look for, what it has of a room that is purged. */
export async function purgeOnRegion(
  call: PurgeCall,
  region: { id: number; name: string },
  { name, sent: files, look }: Purge,
) {
  const client = await call.services.connectRegion(region.id, call.signal)
  // Asked anew, because a region may have been updated since this process signed in.
  const { capabilities } = await client.status()
  if (!capabilities.includes('purgeRoom')) throw new StepFailed(because('region-cannot-purge', { region: region.name }))
  const { roomId, roomName: room } = call.input
  const found = { copies: 0, kept: 0, files: 0 }
  for (let first = 0; first === 0 || first < files.length; first += atMost.filesToPurge) {
    const piece = files.slice(first, first + atMost.filesToPurge)
    const job = { type: 'purgeRoom', room, roomId, files: piece, look } as const
    const id = first === 0 ? `${name}-${region.id}` : `${name}-${region.id}-${first}`
    const ofPiece = await runRegionJob(call, client, job, id)
    found.copies += ofPiece.copies
    found.kept += ofPiece.kept
    found.files += ofPiece.files
  }
  return found
}
