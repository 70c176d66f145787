/** Rooms that hold vectors, the files of their jobs, and what is expected of their content. */
import type { JobResult } from '../jobs.ts'
import type { RoomCreation } from '../schemas.ts'
import { type Backup, expectReads, readBackup } from './backup.ts'
import { expectEqual } from './check.ts'
import { largeExport } from './large-export.ts'
import type { NewRoom, Region } from './region-under-test.ts'
import { sourceOf } from './source-of.ts'
import { type BackupVector, backupVector, contentOf, type ExportVector } from './vectors.ts'

export type VectorRoom = NewRoom & { vector: BackupVector }

/** A new room that holds a vector, such as `room.zip`; a product backup has joined the room that it is for. */
export async function roomWith(
  region: Region,
  name: string,
  creation: Partial<RoomCreation> = {},
): Promise<VectorRoom> {
  const vector = backupVector(name)
  const room = await region.newRoom(creation)
  const { lockHolder: holder } = creation
  for (const { file } of [...(vector.into === undefined ? [] : [backupVector(vector.into)]), vector]) {
    const sent = await upload(region, contentOf(file))
    await region.run({ type: 'restoreRoom', ...room.own, file: sent, ...(holder === undefined ? {} : { holder }) })
  }
  return { ...room, vector }
}

/** A room whose databases are so large that a job takes a moment. */
export async function largeRoom(region: Region): Promise<NewRoom> {
  const room = await region.newRoom()
  const { bytes, password } = largeExport(largeMegabytes)
  const file = await upload(region, bytes)
  await region.run({ type: 'importDatabase', ...room.own, database: 'large', file, password })
  return room
}

/** Enough for a multipart upload of two parts. */
const largeMegabytes = 12

/** @returns the id of the file */
export async function upload({ client, newId }: Region, bytes: Uint8Array): Promise<string> {
  const id = newId()
  await client.putFile(id, sourceOf(bytes))
  return id
}

/** The whole file; of the size and SHA-256 that its job told, if they are given. */
export async function fetchFile(
  { client }: Region,
  made: { file: string } | JobResult<'backupDatabase'>,
): Promise<Buffer> {
  const wanted = 'size' in made ? made : undefined
  return Buffer.concat(await (await client.getFile(made.file, wanted)).content.toArray())
}

/** The content with one bit changed, in the middle unless `at` says where. */
export function altered(content: Buffer, at = Math.floor(content.length / 2)): Buffer {
  const changed = Buffer.from(content)
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
  return changed
}

/** Backs the room up, and reads the backup without the region. */
export async function backUp(region: Region, room: string): Promise<Backup> {
  const backup = await readBackup(await fetchFile(region, await region.run({ type: 'backupRoom', room })))
  const { manifest } = backup
  const told = await region.client.room(room)
  expectEqual(
    [manifest.kind, manifest.room, manifest.product, manifest.edition, manifest.schemaVersion],
    ['room', room, told?.product, told?.edition, told?.schemaVersion],
    'kind, room, product, edition and schemaVersion in the manifest',
  )
  expectEqual(backup.databases.toSorted(), told?.databases.toSorted(), 'the databases in the backup')
  return backup
}

/** Expects the room to hold the vector: by the digest that the region tells. */
export async function expectDigest(
  region: Region,
  room: string,
  vector: BackupVector | ExportVector,
  what: string,
): Promise<void> {
  expectEqual(await region.digestOf(room), vector.roomDigest ?? vector.digest, `${what}: the digest of the room`)
}

/** Expects the same by the digest and by a backup that the kit reads. */
export async function expectVector(
  region: Region,
  room: string,
  vector: BackupVector | ExportVector,
  what: string,
): Promise<Backup> {
  await expectDigest(region, room, vector, what)
  const backup = await backUp(region, room)
  expectReads(backup.files, vector.reads, what)
  return backup
}
