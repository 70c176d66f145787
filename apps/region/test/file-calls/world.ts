/** The region that is asked while its file calls fail or its process dies, what lies there, and what a caller sees of it. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ObjectStore } from '@roomkeeper/dev-env'
import type {
  ObjectStoreLocation,
  RegionClient,
  RegionFileSource,
  RoomCreation,
  RoomInfo,
} from '@roomkeeper/region-protocol'
import { sourceOf } from '@roomkeeper/region-protocol/conformance'
import { exportDatabase } from '#archives/database-export.ts'
import { fillDocumentsDatabase } from '#databases/documents-database.ts'
import { createDatabase } from '#sqlite/database-handles.ts'
import { documentsOf } from '../documents.ts'
import { newCreation } from '../region-process.ts'

/** The region that is asked, with its data folder. */
export interface Request {
  url: string
  client: RegionClient
  dataDir: string
  /** The object store of the world. */
  store?: ObjectStoreLocation | null
}

/** A room as callers see it; null: it does not exist. */
export type Observation =
  | (Pick<RoomInfo, 'roomId' | 'state' | 'databases' | 'expirationDate' | 'schemaVersion'> & {
      holder: string | null
      digest: string
    })
  | null

export interface Try {
  room: string
  creation: RoomCreation
  /** Another one for each try, even a second try of the same request. */
  id: string
}

/** What was prepared on the region, once for all cases. */
export interface World {
  digestOfBackup: string
  /** Null: this machine has no object store. */
  store: ObjectStoreLocation | null
}

export const bystander = 'bystander'
export const password = 'password of the export'
export const roomBackup = 'given-room.zip'
export const productBackup = 'given-product.zip'
export const databaseExport = 'given-database.adb'

/** Makes a second room, which must not change, and the files that the cases need. */
export async function prepareWorld(at: Request, store: ObjectStoreLocation | null = null): Promise<World> {
  await makeRoom(at, bystander, newCreation())
  await makeRoom(at, 'given', newCreation())
  await at.client.putFile(databaseExport, await exportOf(password))
  const { roomId } = (await at.client.room('given')) ?? { roomId: '' }
  const { file } = await at.client.runJob(randomUUID(), { type: 'backupRoom', room: 'given' })
  await keepFile(at, file, roomBackup)
  if (store !== null) {
    const target = { ...store, key: roomBackup }
    await at.client.runJob(randomUUID(), { type: 'backupToObjectStore', room: 'given', target })
  }
  const digestOfBackup = (await at.client.runJob(randomUUID(), { type: 'digestRoom', room: 'given' })).digest
  const more = { type: 'importDatabase', room: 'given', roomId, database: 'second', file: databaseExport } as const
  await at.client.runJob(randomUUID(), { ...more, password })
  const product = { type: 'backupRoom', room: 'given', kind: 'product' } as const
  await keepFile(at, (await at.client.runJob(randomUUID(), product)).file, productBackup)
  await at.client.runJob(randomUUID(), { type: 'deleteRoom', room: 'given', roomId })
  return { digestOfBackup, store }
}

/** A room with a document in it. */
export async function makeRoom(at: Request, room: string, creation: RoomCreation): Promise<void> {
  await at.client.createRoom(room, creation)
  await writeDocument(at, room, 'kept')
}

/** Whether the room's documents can be read and changed. */
export async function serves(at: Request, room: string): Promise<boolean> {
  return (
    (await writeDocument(at, room, 'kept').then(
      () => true,
      () => false,
    )) && (await at.client.room(room)) !== null
  )
}

/** `text` null: deletes the document. */
export async function writeDocument(at: Request, room: string, text: string | null): Promise<void> {
  const { token, id } = await at.client.openSession(room, 'owner@example.org')
  const documents = documentsOf(at.url, room, token)
  const answer = text === null ? await documents.remove('a') : await documents.put('a', text)
  if (!answer.ok) throw new Error(`A document cannot be written: ${answer.status} ${await answer.text()}`)
  await at.client.endSession(room, id)
}

export async function observe(at: Request, room: string): Promise<Observation> {
  const found = await at.client.room(room)
  if (found === null) return null
  const { roomId, state, databases, expirationDate, schemaVersion, lock } = found
  const { digest } = await at.client.runJob(randomUUID(), { type: 'digestRoom', room })
  return { roomId, state, databases, expirationDate, schemaVersion, holder: lock?.holder ?? null, digest }
}

/** A location in a new bucket, without a key yet. */
export async function bucketIn(store: ObjectStore): Promise<ObjectStoreLocation> {
  return {
    endpoint: store.endpoint,
    region: store.region,
    ...store.keys,
    sessionToken: '',
    bucket: await store.newBucket(),
    key: '',
  }
}

export function folderOf({ store }: Request, key: string): ObjectStoreLocation {
  if (store == null) throw new Error('There is no object store.')
  return { ...store, key }
}

/** Whether a room that was replaced can be put back. */
export async function keepsFormer(at: Request, request: Try): Promise<boolean> {
  const digest = async () => (await at.client.runJob(randomUUID(), { type: 'digestRoom', room: request.room })).digest
  const before = await digest()
  const { replaced } = await at.client.runJob(randomUUID(), {
    type: 'putBackRoom',
    room: request.room,
    roomId: request.creation.roomId,
    kept: 'k',
  })
  return replaced && (await digest()) !== before
}

export async function replace(at: Request, room: string, file = roomBackup): Promise<void> {
  const roomId = await roomIdOf(at, room)
  await at.client.runJob(`replace-${room}`, {
    type: 'replaceRoom',
    room,
    roomId,
    keep: 'k',
    from: { file },
  })
  // The first call after it reads the room's new record: not to be one of the calls that are counted.
  await at.client.room(room)
}

export async function roomIdOf(at: Request, room: string): Promise<string> {
  return (await at.client.room(room))?.roomId ?? ''
}

export async function hasFile(at: Request, id: string): Promise<boolean> {
  const answer = await at.client.getFile(id).catch(() => null)
  answer?.content.destroy()
  return answer !== null
}

/** Null: there is none. */
export async function readDocument(at: Request, room: string): Promise<unknown> {
  const { token, id } = await at.client.openSession(room, 'owner@example.org')
  const answer = await documentsOf(at.url, room, token).get('a')
  await at.client.endSession(room, id)
  return answer.ok ? answer.json() : null
}

export async function idOfUser(at: Request, room: string, user: string): Promise<string | null> {
  try {
    const { userId, id } = await at.client.openSession(room, user)
    await at.client.endSession(room, id)
    return userId
  } catch (error) {
    if ((error as { status?: number }).status === 404) return null
    throw error
  }
}

export async function routeTo({ url }: Request, room: string): Promise<string | null> {
  return (await fetch(`${url}/${room}`, { redirect: 'manual' })).headers.get('location')
}

async function keepFile(at: Request, made: string, as: string): Promise<void> {
  const bytes = Buffer.concat((await (await at.client.getFile(made)).content.toArray()) as Buffer[])
  await at.client.putFile(as, sourceOf(bytes))
  await at.client.deleteFile(made)
}

/** An export whose key derivation takes almost no time. */
async function exportOf(secret: string): Promise<RegionFileSource> {
  const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-export-'))
  try {
    const [database, to] = [join(folder, 'database.db'), join(folder, 'database.adb')]
    createDatabase(database, (filled) => {
      fillDocumentsDatabase(filled)
      filled.exec("INSERT INTO documents VALUES ('imported', '\"text\"', '2026-01-01T00:00:00.000Z')")
    })
    await exportDatabase(database, to, secret, new AbortController().signal, [10, 8, 1])
    return sourceOf(await readFile(to))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Turns the room's system.db into one of the first schema version. */
export async function toVersionOne({ client, dataDir }: Request, room: string): Promise<void> {
  const system = new DatabaseSync(join(dataDir, 'rooms', room, 'system.db'), { timeout: 5000 })
  system.exec('DROP INDEX sessions_by_token; DROP INDEX sessions_by_user; UPDATE schema_version SET version = 1')
  system.close()
  await client.room(room)
}
