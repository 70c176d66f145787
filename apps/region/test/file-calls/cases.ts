/** What a region is asked to do while its file calls fail or its process dies, and how a test recognises the effect. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import type { ObjectStore } from '@roomkeeper/dev-env'
import {
  type JobRequest,
  type ObjectStoreLocation,
  type RegionClient,
  type RegionFileSource,
  type RoomCreation,
  type RoomInfo,
  streamWithTicket,
} from '@roomkeeper/region-protocol'
import { sourceOf } from '@roomkeeper/region-protocol/conformance'
import { exportDatabase } from '#archives/database-export.ts'
import { fillDocumentsDatabase } from '#databases/documents-database.ts'
import { createDatabase } from '#sqlite/database-handles.ts'
import { documentsOf } from '../documents.ts'
import { newCreation, systemPassword } from '../region-process.ts'
import { content, putHalf, putOnce } from './interrupted-uploads.ts'

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

export interface Case {
  name: string
  /** What the case needs besides a room with a document. */
  prepare?(at: Request, room: string): Promise<unknown>
  /** The room does not exist before. */
  makesRoom?: true
  /** The case is slow, for example because it derives a key, so it is not repeated every time. */
  takesLong?: true
  act(at: Request, request: Try): Promise<unknown>
  /** Whether the effect is visible in the room. */
  isDone(seen: Observation, world: World): boolean
  /** For effects that the room does not show: whether the effect holds after the call was answered. */
  holds?(at: Request, request: Try): Promise<boolean>
  /** The case needs an object store. */
  store?: true
}

/** What was prepared on the region, once for all cases. */
export interface World {
  digestOfBackup: string
  /** Null: this machine has no object store. */
  store: ObjectStoreLocation | null
}

export const bystander = 'bystander'
const password = 'password of the export'
const roomBackup = 'given-room.zip'
const productBackup = 'given-product.zip'
const databaseExport = 'given-database.adb'

const job = (at: Request, { id }: Try, input: JobRequest) => at.client.runJob(id, input)
const own = ({ room, creation }: Try) => ({ room, roomId: creation.roomId })
const sameRoom = (seen: Observation) => seen !== null
const replacing = (request: Try, from: { file: string }) =>
  ({ type: 'replaceRoom', ...own(request), keep: 'k', from }) as const
const restored = (seen: Observation, { digestOfBackup }: World) => seen?.digest === digestOfBackup

export const cases: Case[] = [
  {
    name: 'create a room',
    makesRoom: true,
    act: (at, { room, creation }) => at.client.createRoom(room, creation),
    isDone: (seen) => seen?.databases.join() === 'main',
  },
  {
    name: 'change a room',
    act: (at, { room, creation }) =>
      at.client.changeRoom(room, { roomId: creation.roomId, expirationDate: '2099-12-31' }),
    isDone: (seen) => seen?.expirationDate === '2099-12-31',
  },
  {
    name: 'suspend a room',
    act: (at, { room, creation }) => at.client.suspendRoom(room, creation.roomId),
    isDone: (seen) => seen?.state === 'suspended',
  },
  {
    name: 'lock a room',
    act: (at, { room, creation }) => at.client.lockRoom(room, { roomId: creation.roomId, holder: 'me' }),
    isDone: (seen) => seen?.holder === 'me',
  },
  {
    name: 'back a room up',
    act: (at, request) => job(at, request, { type: 'backupRoom', room: request.room }),
    isDone: sameRoom,
    holds: (at, { id }) => hasFile(at, id),
  },
  {
    name: 'restore a room',
    act: (at, request) => job(at, request, { type: 'restoreRoom', ...own(request), file: roomBackup }),
    isDone: restored,
  },
  {
    name: 'restore a product backup',
    prepare: (at, room) => writeDocument(at, room, null),
    act: (at, request) => job(at, request, { type: 'restoreRoom', ...own(request), file: productBackup }),
    isDone: (seen) => seen?.databases.join() === 'main,second',
  },
  {
    name: 'replace a room',
    act: (at, request) => job(at, request, replacing(request, { file: roomBackup })),
    isDone: restored,
    holds: keepsFormer,
  },
  {
    name: 'replace a room with what a product backup adds',
    prepare: (at, room) => writeDocument(at, room, null),
    act: (at, request) => job(at, request, replacing(request, { file: productBackup })),
    isDone: (seen) => seen?.databases.join() === 'main,second',
  },
  {
    name: 'put a room back',
    prepare: replace,
    act: (at, request) => job(at, request, { type: 'putBackRoom', ...own(request), kept: 'k' }),
    isDone: (seen, world) => seen !== null && !restored(seen, world),
  },
  {
    name: 'delete a room that was replaced',
    prepare: replace,
    act: (at, request) => job(at, request, { type: 'deleteRoom', ...own(request) }),
    isDone: (seen) => seen === null,
  },
  {
    name: 'delete a room',
    act: (at, request) => job(at, request, { type: 'deleteRoom', ...own(request) }),
    isDone: (seen) => seen === null,
  },
  {
    name: 'back a database up',
    takesLong: true,
    act: (at, request) => job(at, request, { type: 'backupDatabase', room: request.room, database: 'main', password }),
    isDone: sameRoom,
    holds: (at, { id }) => hasFile(at, id),
  },
  {
    name: 'restore a database',
    act: (at, request) =>
      job(at, request, { type: 'restoreDatabase', ...own(request), database: 'main', file: databaseExport, password }),
    isDone: sameRoom,
  },
  {
    name: 'import a database',
    act: (at, request) =>
      job(at, request, { type: 'importDatabase', ...own(request), database: 'more', file: databaseExport, password }),
    isDone: (seen) => seen?.databases.join() === 'main,more',
  },
  {
    name: 'delete a database',
    act: (at, request) => job(at, request, { type: 'deleteDatabase', ...own(request), database: 'main' }),
    isDone: (seen) => seen?.databases.length === 0,
  },
  {
    name: 'update a system database',
    prepare: async (at, room) => toVersionOne(at, room),
    act: (at, request) => job(at, request, { type: 'updateSystemDatabase', ...own(request), systemPassword }),
    isDone: (seen) => seen?.schemaVersion === 2,
  },
  {
    name: 'take the digest of a room',
    act: (at, request) => job(at, request, { type: 'digestRoom', room: request.room }),
    isDone: sameRoom,
  },
  {
    name: 'verify a backup',
    act: (at, request) => job(at, request, { type: 'verifyBackup', room: request.room, from: { file: roomBackup } }),
    isDone: sameRoom,
  },
  {
    name: 'take a file',
    act: (at, { room }) => putOnce(at, `upload-${room}`),
    isDone: sameRoom,
    holds: (at, { room }) => hasFile(at, `upload-${room}`),
  },
  {
    name: 'remove a file',
    prepare: (at, room) => at.client.putFile(`upload-${room}`, sourceOf(content)),
    act: (at, { room }) => at.client.deleteFile(`upload-${room}`),
    isDone: sameRoom,
  },
  {
    name: 'go on taking a file',
    prepare: (at, room) => putHalf(at, `upload-${room}`),
    act: (at, { room }) => putOnce(at, `upload-${room}`),
    isDone: sameRoom,
    holds: (at, { room }) => hasFile(at, `upload-${room}`),
  },
  {
    name: 'take a file of unknown content',
    act: async (at, { id }) => {
      const opened = await at.client.openUpload(id, { sizeAtMost: content.length })
      const to = { url: at.url, file: id, ticket: opened?.ticket ?? '' }
      await streamWithTicket(to, Readable.from([content]), AbortSignal.timeout(60_000))
    },
    isDone: sameRoom,
    holds: (at, { id }) => hasFile(at, id),
  },
  {
    name: 'write a document',
    act: async (at, { room }) => writeDocument(at, room, 'written'),
    isDone: sameRoom,
    holds: async (at, { room }) => (await readDocument(at, room)) === 'written',
  },
  {
    name: 'remove a document',
    act: async (at, { room }) => writeDocument(at, room, null),
    isDone: sameRoom,
    holds: async (at, { room }) => (await readDocument(at, room)) === null,
  },
  {
    name: 'resume a room',
    prepare: async (at, room) => at.client.suspendRoom(room, await roomIdOf(at, room)),
    act: (at, { room, creation }) => at.client.resumeRoom(room, creation.roomId),
    isDone: (seen) => seen?.state === 'active',
  },
  {
    name: 'unlock a room',
    prepare: async (at, room) => at.client.lockRoom(room, { roomId: await roomIdOf(at, room), holder: 'me' }),
    act: (at, { room, creation }) => at.client.unlockRoom(room, { roomId: creation.roomId, holder: 'me' }),
    isDone: (seen) => seen !== null && seen.holder === null,
  },
  {
    name: 'open a session',
    act: (at, { room }) => at.client.openSession(room, 'delegate@example.org'),
    isDone: sameRoom,
    holds: async (at, { room }) => (await at.client.sessions(room)).length >= 1,
  },
  {
    name: 'end a session',
    prepare: (at, room) => at.client.openSession(room, 'delegate@example.org'),
    act: async (at, { room }) => {
      for (const { id } of await at.client.sessions(room)) await at.client.endSession(room, id)
    },
    isDone: sameRoom,
    holds: async (at, { room }) => (await at.client.sessions(room)).length === 0,
  },
  {
    name: 'delete a user',
    act: async (at, { room }) => {
      const id = await idOfUser(at, room, 'delegate@example.org')
      if (id !== null && !(await at.client.deleteUser(id))) throw new Error('The user is not gone.')
    },
    isDone: sameRoom,
    holds: async (at, { room }) => (await idOfUser(at, room, 'delegate@example.org')) === null,
  },
  {
    name: 'redirect visitors',
    act: (at, { room }) => at.client.putRoute(`${room}moved`, 'https://elsewhere.example'),
    isDone: sameRoom,
    holds: async (at, { room }) => (await routeTo(at, `${room}moved`)) === `https://elsewhere.example/${room}moved`,
  },
  {
    name: 'end a redirection',
    prepare: (at, room) => at.client.putRoute(`${room}moved`, 'https://elsewhere.example'),
    act: (at, { room }) => at.client.deleteRoute(`${room}moved`),
    isDone: sameRoom,
    holds: async (at, { room }) => (await routeTo(at, `${room}moved`)) === null,
  },
  {
    name: 'back a room up to an object store',
    store: true,
    act: (at, request) =>
      job(at, request, {
        type: 'backupToObjectStore',
        room: request.room,
        target: folderOf(at, `${request.room}.zip`),
      }),
    isDone: sameRoom,
  },
  {
    name: 'restore a room from an object store',
    store: true,
    act: (at, request) =>
      job(at, request, { type: 'restoreFromObjectStore', ...own(request), source: folderOf(at, roomBackup) }),
    isDone: restored,
  },
  {
    name: 'verify a backup in an object store',
    store: true,
    act: (at, request) =>
      job(at, request, { type: 'verifyBackup', room: request.room, from: { source: folderOf(at, roomBackup) } }),
    isDone: sameRoom,
  },
]

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
async function writeDocument(at: Request, room: string, text: string | null): Promise<void> {
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

function folderOf({ store }: Request, key: string): ObjectStoreLocation {
  if (store == null) throw new Error('There is no object store.')
  return { ...store, key }
}

/** Whether a room that was replaced can be put back. */
async function keepsFormer(at: Request, request: Try): Promise<boolean> {
  const digest = async () => (await at.client.runJob(randomUUID(), { type: 'digestRoom', room: request.room })).digest
  const before = await digest()
  const { replaced } = await at.client.runJob(randomUUID(), { type: 'putBackRoom', ...own(request), kept: 'k' })
  return replaced && (await digest()) !== before
}

async function replace(at: Request, room: string): Promise<void> {
  const roomId = await roomIdOf(at, room)
  await at.client.runJob(`replace-${room}`, {
    type: 'replaceRoom',
    room,
    roomId,
    keep: 'k',
    from: { file: roomBackup },
  })
  // The first call after it reads the room's new record: not to be one of the calls that are counted.
  await at.client.room(room)
}

async function roomIdOf(at: Request, room: string): Promise<string> {
  return (await at.client.room(room))?.roomId ?? ''
}

async function hasFile(at: Request, id: string): Promise<boolean> {
  const answer = await at.client.getFile(id).catch(() => null)
  answer?.content.destroy()
  return answer !== null
}

/** Null: there is none. */
async function readDocument(at: Request, room: string): Promise<unknown> {
  const { token, id } = await at.client.openSession(room, 'owner@example.org')
  const answer = await documentsOf(at.url, room, token).get('a')
  await at.client.endSession(room, id)
  return answer.ok ? answer.json() : null
}

async function idOfUser(at: Request, room: string, user: string): Promise<string | null> {
  try {
    const { userId, id } = await at.client.openSession(room, user)
    await at.client.endSession(room, id)
    return userId
  } catch (error) {
    if ((error as { status?: number }).status === 404) return null
    throw error
  }
}

async function routeTo({ url }: Request, room: string): Promise<string | null> {
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
async function toVersionOne({ client, dataDir }: Request, room: string): Promise<void> {
  const system = new DatabaseSync(join(dataDir, 'rooms', room, 'system.db'), { timeout: 5000 })
  system.exec('DROP INDEX sessions_by_token; DROP INDEX sessions_by_user; UPDATE schema_version SET version = 1')
  system.close()
  await client.room(room)
}
