/** What a region is asked to do while its file calls fail or its process dies, and how a test recognises the effect. */
import { Readable } from 'node:stream'
import { type JobRequest, streamWithTicket } from '@roomkeeper/region-protocol'
import { sourceOf } from '@roomkeeper/region-protocol/conformance'
import { systemPassword } from '../region-process.ts'
import { content, putHalf, putOnce } from './interrupted-uploads.ts'
import {
  databaseExport,
  folderOf,
  hasFile,
  idOfUser,
  keepsFormer,
  type Observation,
  password,
  productBackup,
  type Request,
  readDocument,
  replace,
  roomBackup,
  roomIdOf,
  routeTo,
  type Try,
  toVersionOne,
  type World,
  writeDocument,
} from './world.ts'

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
    name: 'purge a room that was backed up, replaced and deleted',
    // From a backup of its own: a purge removes the files that the jobs of the room have read.
    prepare: async (at, room) => {
      const own = { room, roomId: await roomIdOf(at, room) }
      await replace(at, room, (await at.client.runJob(`backup-${room}`, { type: 'backupRoom', ...own })).file)
      await at.client.runJob(`delete-${room}`, { type: 'deleteRoom', ...own })
    },
    act: (at, request) => job(at, request, { type: 'purgeRoom', ...own(request) }),
    isDone: (seen) => seen === null,
    holds: async (at, { room }) => !(await hasFile(at, `backup-${room}`)),
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
      if (id !== null && !(await at.client.deleteUser(id)).gone) throw new Error('The user is not gone.')
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
