/** Regions that lose what a customer has, or give it to another one, beside the call that was asked for. */
import { randomUUID } from 'node:crypto'
import { also, answering, asking, ended } from './faults.ts'
import type { Answer, Call, Faults, Json, WrongRegion } from './wrong-region.ts'

const purged = 'a purge finds copies under other names, and leaves redirects, and files of another room of the name'
const changed = 'a change of which a part is refused changes nothing, and null is not absent'
const redirected = 'a redirect has path and query of the request, and users write nothing where the room is no more'
const gone = 'a deleted user leaves every room that has the user, and the contacts, so that no change brings them back'
const nothingLeft = 'a room has nothing of a former one of its name: no record of the console, lock or user'
const differentFiles = 'ids that differ in case, or of which one begins with the other, are those of different files'
const delegate = 'delegate@conformance.example'

export const wrongLeaks: WrongRegion[] = [
  {
    name: 'kept-by-id-only',
    does: 'What replaceRoom keeps is looked for by its id alone, so a second room under the id is not kept.',
    losesData: true,
    caughtBy: { 'two rooms keep what they held under the same id, each its own': 'the former content: expected' },
    faults: () => {
      const rooms = new Map<string, string>()
      return {
        startJob: async (call) => {
          const { type, room, roomId, keep, from } = await call.json()
          if (type !== 'replaceRoom') return null
          if (!rooms.has(keep)) rooms.set(keep, roomId)
          if (rooms.get(keep) === roomId) return call.pass()
          const answer = await ended(call, { type: 'restoreRoom', room, roomId, file: from.file })
          return { ...answer, json: { ...answer.json, type } }
        },
      }
    },
  },
  {
    name: 'redirects-pages-only',
    does: 'Only the page of a room is redirected, so users go on writing into the copy that moved away.',
    losesData: true,
    caughtBy: { [redirected]: 'a write of a user: the status' },
    faults: ({ marked }) => ({
      putRoute: async (call) => {
        await call.bytes()
        marked.add(call.name)
        return { status: 204 }
      },
      visit: (call) => {
        const [, name = ''] = new URL(call.url, 'http://region').pathname.split('/')
        const headers = { location: `https://elsewhere.example${call.url}` }
        return marked.has(name) ? { status: 307, headers } : null
      },
    }),
  },
  {
    name: 'redirects-without-query',
    does: 'The query of a visit is lost in its redirection.',
    caughtBy: { [redirected]: 'a visit' },
    faults: {
      visit: async (call) => {
        const { headers, ...answer } = await call.pass()
        const location = headers?.location?.replace(/\?.*/, '')
        return { ...answer, headers: { ...headers, ...(location === undefined ? {} : { location }) } }
      },
    },
  },
  {
    name: 'deletion-takes-backups',
    does: 'deleteRoom removes the backups that were made of the room.',
    losesData: true,
    caughtBy: { 'a deleted room leaves the backups that were made of it, from which it comes back': 'file-unknown' },
    faults: () => takingBackups('deleteRoom'),
  },
  {
    name: 'records-by-name',
    does: 'The record of the console is kept by the name of the room, so the next room of the name has it.',
    caughtBy: { [nothingLeft]: 'the record' },
    faults: () => {
      const records = new Map<string, string>()
      return {
        keepConsoleRecord: async (call) => {
          records.set(call.name, (await call.json()).record)
          return call.pass()
        },
        consoleRecord: answering((_, call) => ({ record: records.get(call.name) ?? null })),
      }
    },
  },
  {
    name: 'delegate-comes-back',
    does: 'A deleted delegate stays in the contacts, and is a user again after the next change.',
    caughtBy: { [gone]: 'the deleted user: expected a refusal with 404' },
    faults: {
      deleteUser: answering(({ rooms }, _, behind) => {
        for (const { name } of rooms)
          behind.change(
            name,
            'system.db',
            `UPDATE settings SET value = json_set(value, '$.delegateEmail', '${delegate}') WHERE name = 'contacts'`,
          )
      }),
    },
  },
  {
    name: 'users-leave-one-room',
    does: 'A user is deleted from the first room that has them only.',
    caughtBy: { [gone]: 'the rooms that had the user' },
    faults: { deleteUser: answering((told) => ({ ...told, rooms: told.rooms.slice(0, 1) })) },
  },
  {
    name: 'patch-in-parts',
    does: 'A change is made field by field, up to the one that is refused.',
    losesData: true,
    caughtBy: { [changed]: 'the expiration date: expected' },
    faults: {
      changeRoom: async (call) => {
        const { roomId, ...fields } = await call.json()
        let answer: Answer | undefined
        for (const [name, value] of Object.entries(fields)) {
          answer = await call.pass({ json: { roomId, [name]: value } })
          if (answer.status !== 200) return answer
        }
        return answer ?? call.pass()
      },
    },
  },
  {
    name: 'patch-null-is-absent',
    does: 'A field that is null is left as it is.',
    caughtBy: { [changed]: 'once it is null' },
    faults: {
      changeRoom: asking((body) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))),
    },
  },
  {
    name: 'holders-without-case',
    does: 'Holders of locks that differ in case are the same.',
    losesData: true,
    caughtBy: { 'holders are compared character by character': 'a lock by Conformance' },
    faults: Object.fromEntries(
      ['createRoom', 'lockRoom', 'unlockRoom', 'startJob'].map((name) => [name, asking(inLowerCase)]),
    ),
  },
  {
    name: 'ids-without-case',
    does: 'Files are kept by their id in lower case, as on the disk of a desktop.',
    losesData: true,
    caughtBy: { [differentFiles]: 'file' },
    faults: Object.fromEntries(
      ['putFile', 'getFile', 'deleteFile'].map((name) => [
        name,
        (call: Call) => call.pass({ url: call.url.toLowerCase() }),
      ]),
    ),
  },
  {
    name: 'files-by-prefix',
    does: 'The removal of a file removes all files whose ids begin so.',
    losesData: true,
    caughtBy: { [differentFiles]: '404' },
    faults: () => {
      const ids = new Set<string>()
      return {
        putFile: (call) => {
          ids.add(call.id)
          return null
        },
        deleteFile: async (call) => {
          for (const id of ids) if (id.startsWith(call.id)) await also(call, 'DELETE', `/files/${id}`)
          return { status: 204 }
        },
      }
    },
  },
  {
    name: 'purge-of-one-name',
    does: 'A purge looks for copies under the name that it is told only.',
    caughtBy: { [purged]: 'found' },
    faults: {
      startJob: async (call) => {
        const { type, room, roomId } = await call.json()
        const found = await also(call, 'GET', `/rooms/${room}`)
        if (type !== 'purgeRoom' || found.json.roomId === roomId) return call.pass()
        return call.pass({ json: { type, room, roomId: randomUUID() } })
      },
    },
  },
  {
    name: 'purge-takes-files-of-the-name',
    does: 'A purge removes the backups of any room of the name.',
    losesData: true,
    caughtBy: { [purged]: '404' },
    faults: () => takingBackups('purgeRoom'),
  },
  {
    name: 'purge-takes-redirects',
    does: 'A purge removes the redirect of the name, so visitors no longer find the room that moved away.',
    caughtBy: { [purged]: 'a visit of a redirected name' },
    faults: {
      startJob: async (call) => {
        const { type, room } = await call.json()
        const answer = await ended(call)
        if (type === 'purgeRoom') await also(call, 'DELETE', `/routes/${room}`)
        return answer
      },
    },
  },
  {
    name: 'imports-by-input',
    does: 'An import that was done before is done, also if its database was deleted since.',
    losesData: true,
    caughtBy: {
      'an import that was done before is done again once its database is deleted, and never over another one':
        'once the database is imported again',
    },
    faults: ({ marked }) => ({
      startJob: async (call) => {
        const { type, room, database, file } = await call.json()
        if (type !== 'importDatabase') return null
        const isDone = marked.has(file)
        marked.add(file)
        if (!isDone) return null
        const answer = await ended(call, { type: 'digestRoom', room })
        return { ...answer, json: { ...answer.json, type, result: { database } } }
      },
    }),
  },
  {
    name: 'deletes-while-locked',
    does: 'Users delete documents in a locked room.',
    losesData: true,
    caughtBy: { 'users delete nothing in a locked room': 'no success for a deletion' },
    faults: {
      document: async (call) => {
        const answer = await call.pass()
        return call.method === 'DELETE' && answer.status === 423 ? { status: 204 } : answer
      },
    },
  },
  {
    name: 'tokens-outlive-sessions',
    does: 'The token of a session opens its room for ever.',
    losesData: true,
    caughtBy: {
      'the token of a session that has ended, or from before a restore, opens nothing': 'the end of the session',
    },
    faults: {
      document: async (call) => {
        const answer = await call.pass()
        if (answer.status !== 401) return answer
        return { status: 200, json: {} }
      },
    },
  },
]

function inLowerCase(body: Json): Json {
  return 'holder' in body ? { ...body, holder: String(body.holder).toLowerCase() } : body
}

/** A job of this type removes the backups of the room that it names. */
function takingBackups(remover: 'deleteRoom' | 'purgeRoom'): Faults {
  const made = new Map<string, string>()
  return {
    startJob: async (call) => {
      const { type, room } = await call.json()
      const answer = await ended(call)
      if (type === 'backupRoom') made.set(answer.json.result.file, room)
      if (type === remover) for (const [file, of] of made) if (of === room) await also(call, 'DELETE', `/files/${file}`)
      return answer
    },
  }
}
