/** Regions that forget or spoil something when they are ended and started again, and locks that end wrong. */
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { also, answering, asking, refusal } from './faults.ts'
import { emptyDatabases, roomFolder } from './rooms-on-disk.ts'
import type { Answer, Behind, Call, Faults, Json, WrongRegion } from './wrong-region.ts'

const page = 'after a restart'
const holds = `${page} a room holds what it held, and is suspended if it was`
const writes = `${page} a room holds what its users have written`
const lockHeld = `${page} a lock is held by the same holder, since the same time and until the same time`
const users = `${page} a room has its users with their ids and licences, and a deleted user stays deleted`
const fenced = `${page} a smaller fence is refused with 409 overtaken, whatever became of its call`
const raised = `${page} fences that were raised by a call of their own are known`
const jobKnown = `${page} a job is as it had ended, and its id starts nothing again`
const purgeFinds = `${page} a purge finds the file that was made of a room which is gone`
const file = `${page} a complete file is there, with its content and digest`
const lockEnds = 'a lock keeps others out for 60 s, then the room is free for them and for jobs without a holder'
const renewed = 'a lock that is renewed lasts 60 s from then on, held since it was first taken'
const heldAnew = 'a lock that its holder takes again after it had ended is held since then'
const kill = (type: string) => `a kill in the middle of ${type} leaves the room whole, and the job can be started again`

/** They wait for the end of a lock, side by side. */
export const wrongLocks: WrongRegion[] = [
  {
    name: 'locks-never-end',
    does: 'A lock tells when it ends, and lasts until it is given back.',
    caughtBy: {
      [lockEnds]: 'locked, and the lock, after 61 s',
      'users of a room write again once its lock has ended': 'a write after 61 s',
    },
    faults: { lockRoom: renewing, createRoom: renewing },
  },
  {
    name: 'locks-end-early',
    does: 'A lock ends after half a minute.',
    losesData: true,
    caughtBy: { [lockEnds]: 'locked after 55 s' },
    faults: {
      lockRoom: async (call) => {
        const answer = await call.pass()
        if (answer.status === 200)
          void later(30_000, async () => also(call, 'POST', `/rooms/${call.name}/unlock`, await call.json()))
        return answer
      },
    },
  },
  {
    name: 'locks-are-not-renewed',
    does: 'A renewal answers, and the lock ends when it would have ended without it.',
    losesData: true,
    caughtBy: { [renewed]: 'locked, and since when, after 62 s' },
    faults: {
      lockRoom: async (call, { marked }) => {
        const { holder } = await call.json()
        if (marked.has(holder)) return also(call, 'GET', `/rooms/${call.name}`)
        marked.add(holder)
        return call.pass()
      },
    },
  },
  {
    name: 'creation-renews-lock',
    does: 'The same creation again renews the lock of the room.',
    caughtBy: { [lockEnds]: 'locked, and the lock, after 61 s' },
    faults: {
      createRoom: async (call) => {
        const answer = await call.pass()
        const { roomId, lockHolder: holder } = await call.json()
        return holder === undefined ? answer : also(call, 'POST', `/rooms/${call.name}/lock`, { roomId, holder })
      },
    },
  },
  {
    name: 'users-stay-locked-out',
    does: 'A lock that has ended keeps users out until it is given back.',
    caughtBy: { 'users of a room write again once its lock has ended': 'a write after 61 s' },
    faults: ({ marked }) => ({
      lockRoom: async (call) => {
        marked.add(call.name)
        return call.pass()
      },
      document: async (call) => (marked.has(call.url.split('/')[2] ?? '') ? refusal(423, 'room-locked') : null),
    }),
  },
  {
    name: 'held-since-through-gap',
    does: 'A lock that had ended is held since before, when its holder takes it again: nobody sees that users wrote.',
    losesData: true,
    caughtBy: { [heldAnew]: 'heldSince at least 60 s after' },
    faults: () => {
      const first = new Map<string, string>()
      return {
        lockRoom: answering((room) => {
          first.set(room.name, first.get(room.name) ?? room.lock.heldSince)
          room.lock.heldSince = first.get(room.name)
        }),
      }
    },
  },
]

const tornJobs = ['restoreRoom', 'restoreFromObjectStore', 'replaceRoom', 'importDatabase', 'restoreDatabase']
const alone = { restarts: 'alone' } as const
const together = { restarts: 'together' } as const

export const wrongRestarts: WrongRegion[] = [
  {
    name: 'memory',
    does: 'Everything is in memory only.',
    losesData: true,
    caughtBy: { [holds]: 'the room', [users]: '404', [jobKnown]: '404', [file]: '404' },
    ...together,
    faults: {
      atRestart: (behind) => {
        removeIn(behind, 'rooms', behind.names)
        removeIn(behind, 'files', behind.ids)
        forget(behind, 'jobs', 'id', behind.ids)
      },
    },
  },
  {
    name: 'instance-each-start',
    does: 'Each start makes a new instanceId.',
    caughtBy: { [`${page} the region is the same: it tells the same instanceId`]: 'instanceId' },
    ...together,
    faults: ({ marked }) => ({
      status: answering((status) => (marked.has('restarted') ? { ...status, instanceId: randomUUID() } : status)),
      atRestart: () => void marked.add('restarted'),
    }),
  },
  {
    name: 'rows-in-memory',
    does: 'What is in databases is written to disk later, and lost.',
    losesData: true,
    caughtBy: { [holds]: 'its digest', [writes]: 'what was written' },
    ...together,
    faults: { atRestart: eachRoom((room, behind) => emptyDatabases(behind, room)) },
  },
  {
    name: 'suspension-forgotten',
    does: 'After a restart every room is active.',
    losesData: true,
    caughtBy: { [holds]: 'the room' },
    ...together,
    faults: eachRecord((record) => ({ ...record, state: 'active' })),
  },
  {
    name: 'settings-of-creation',
    does: 'After a restart a room has the settings with which it was created.',
    losesData: true,
    caughtBy: { [`${page} a room has the settings that it was given last`]: 'the room' },
    ...together,
    faults: {
      atRestart: eachRoom((room, behind) => {
        behind.change(room, 'system.db', `UPDATE settings SET value = 'null' WHERE name = 'expirationDate'`)
      }),
    },
  },
  {
    name: 'locks-forgotten',
    does: 'A restart ends all locks.',
    losesData: true,
    caughtBy: { [lockHeld]: 'the lock' },
    ...together,
    faults: eachRecord((record) => ({ ...record, lock: null })),
  },
  {
    name: 'locks-prolonged',
    does: 'After a restart each lock lasts a minute again.',
    caughtBy: { [lockHeld]: 'the lock' },
    ...together,
    faults: eachLock((lock) => ({ ...lock, expiresAt: new Date(Date.now() + 60_000).toISOString() })),
  },
  {
    name: 'locks-held-anew',
    does: 'After a restart each lock is held since the restart.',
    caughtBy: { [lockHeld]: 'the lock' },
    ...together,
    faults: eachLock((lock) => ({ ...lock, heldSince: new Date().toISOString() })),
  },
  {
    name: 'users-anew',
    does: 'The users of a room are made anew from its contacts at each start, with new ids.',
    losesData: true,
    caughtBy: { [users]: 'the id of the owner' },
    ...together,
    faults: {
      atRestart: eachRoom((room, behind) => {
        behind.change(
          room,
          'system.db',
          `DELETE FROM sessions; UPDATE users SET id = 'b' || substr(id, 2) WHERE id < 'b'; UPDATE users SET id = 'a' || substr(id, 2) WHERE id >= 'c'`,
        )
      }),
    },
  },
  {
    name: 'deleted-users-return',
    does: 'A user who was deleted is there again after a restart.',
    caughtBy: { [users]: 'the deleted user' },
    ...together,
    faults: {
      atRestart: eachRoom((room, behind) => {
        const user = `'10000000-0000-4000-8000-000000000000', 'delegate@conformance.example', 'user', NULL, '2027-01-01T00:00:00.000Z'`
        behind.change(
          room,
          'system.db',
          `INSERT OR IGNORE INTO users (id, email, role, licenseKey, createdAt) VALUES (${user})`,
        )
      }),
    },
  },
  {
    name: 'record-in-memory',
    does: 'What the console keeps with a room is lost at a restart.',
    losesData: true,
    caughtBy: { [`${page} the console finds what it keeps with a room`]: 'the record' },
    ...together,
    faults: eachRecord(({ consoleRecord: _, ...record }) => record),
  },
  {
    name: 'creation-forgotten',
    does: 'After a restart the body that created a room is not known, so the same creation again is refused.',
    caughtBy: { [`${page} the creation of a room is known: the same body is 200, another one 409`]: 'room-exists' },
    ...together,
    faults: eachRecord((record) => ({ ...record, creation: '' })),
  },
  {
    name: 'redirects-forgotten',
    does: 'A restart ends all redirects.',
    caughtBy: { [`${page} redirects lead where they led, also that of a room whose copy was removed`]: 'a visit' },
    ...together,
    faults: { atRestart: (behind) => forget(behind, 'routes', 'room', behind.names) },
  },
  {
    name: 'fences-forgotten',
    does: 'Fences are in memory only, so after a restart a late call of a former worker changes the room.',
    losesData: true,
    caughtBy: { [fenced]: 'expected a refusal with 409', [raised]: 'expected a refusal with 409' },
    ...together,
    faults: {
      raiseFences: asking(({ fences }, _, { operations }) => {
        for (const { operation } of fences) operations.add(operation)
      }),
      atRestart: (behind) => forget(behind, 'fences', 'operation', behind.operations),
    },
  },
  {
    name: 'jobs-forgotten',
    does: 'Jobs are in memory only: after a restart their ids start them again.',
    losesData: true,
    caughtBy: { [jobKnown]: '404', [purgeFinds]: 'what was removed' },
    ...together,
    faults: { atRestart: (behind) => forget(behind, 'jobs', 'id', behind.ids) },
  },
  {
    name: 'lines-forgotten',
    does: 'After a restart jobs have no lines.',
    caughtBy: { [jobKnown]: 'the jobs' },
    ...together,
    faults: { atRestart: (behind) => forget(behind, 'job_lines', 'job', behind.ids) },
  },
  {
    name: 'kept-forgotten',
    does: 'What replaceRoom kept is lost at a restart.',
    losesData: true,
    caughtBy: { [`${page} what replaceRoom kept can be put back, and is what the room held`]: 'content-gone' },
    ...together,
    faults: {
      atRestart: (behind) => {
        const folders = readdirSync(join(behind.region.dataDir, 'rooms')).filter((name) => name.startsWith('.kept-'))
        removeIn(behind, 'rooms', new Set(folders.filter((name) => behind.names.has(name.split('-')[1] ?? ''))))
      },
    },
  },
  {
    name: 'files-forgotten',
    does: 'Files are lost at a restart.',
    losesData: true,
    caughtBy: { [file]: '404' },
    ...together,
    faults: { atRestart: (behind) => removeIn(behind, 'files', behind.ids) },
  },
  {
    name: 'removed-files-return',
    does: 'A removed file is there again after a restart.',
    caughtBy: { [`${page} a removed file stays removed`]: 'the removed file' },
    ...together,
    faults: {
      deleteFile: async ({ id }, { marked }) => {
        marked.add(id)
        return { status: 204 }
      },
      getFile: ({ id }, { marked }) => (marked.has(id) ? refusal(404, 'file-unknown') : null),
      atRestart: ({ marked }) => marked.clear(),
    },
  },
  {
    name: 'uploads-overstated',
    does: 'After a restart an upload says that as much has arrived as before, although that was not on disk.',
    losesData: true,
    varies: true,
    // The refusal, or no answer: it may come while the rest is still being sent.
    caughtBy: { [`${page} an unfinished upload goes on where the region says, or begins anew`]: '' },
    ...together,
    faults: () => {
      const received = new Map<string, number>()
      return {
        putFile: async (call) => {
          if (call.headers['content-range']?.startsWith('bytes */') !== true) return null
          const answer = await call.pass()
          received.set(call.id, Math.max(received.get(call.id) ?? 0, answer.json.received))
          return { ...answer, json: { ...answer.json, received: received.get(call.id) } }
        },
        atRestart: ({ region }) => {
          for (const id of received.keys()) {
            const part = join(region.dataDir, 'files', id, 'part')
            if (existsSync(part)) truncateSync(part)
          }
        },
      }
    },
  },
  {
    name: 'killed-jobs-run-for-ever',
    varies: true,
    does: 'A job that was running when the region was killed runs for ever.',
    caughtBy: Object.fromEntries(
      ['backupRoom', 'backupDatabase', 'backupToObjectStore', 'verifyBackup', 'digestRoom'].map((type) => [
        kill(type),
        `expected ${type} to be done or interrupted`,
      ]),
    ),
    ...alone,
    faults: ({ marked }) => ({
      job: answering((job) => {
        if (marked.has('killed')) return { ...job, state: 'running', result: null, error: null }
      }),
      startJob: async (call) => {
        // After each kill, a job that the kit starts anew is another one.
        if (!marked.has(call.id)) marked.delete('killed')
        marked.add(call.id)
        return null
      },
      atRestart: () => void marked.add('killed'),
    }),
  },
  {
    name: 'kills-tear-rooms',
    varies: true,
    does: 'A job writes into the room itself, so a kill leaves a part of the old content and a part of the new one.',
    losesData: true,
    caughtBy: Object.fromEntries(tornJobs.map((type) => [kill(type), 'neither as before nor after'])),
    ...alone,
    faults: tearing(tornJobs),
  },
  {
    name: 'kills-tear-short-jobs',
    varies: true,
    does: 'A kill leaves half of a room that was being deleted, put back or updated.',
    losesData: true,
    caughtBy: {
      'a kill amid short jobs, which delete, put back and update, leaves each room whole or gone':
        'neither as before nor after',
    },
    ...alone,
    faults: tearing(['deleteRoom', 'deleteDatabase', 'purgeRoom', 'putBackRoom', 'updateSystemDatabase']),
  },
  {
    name: 'downloads-forgotten',
    does: 'A kill loses the files, so a download cannot go on.',
    losesData: true,
    caughtBy: { 'a kill amid an upload and a download: both go on afterwards, and their content is right': '404' },
    ...alone,
    faults: { atRestart: (behind) => removeIn(behind, 'files', behind.ids) },
  },
  {
    name: 'changes-written-later',
    varies: true,
    does: 'A change is answered first, and written to disk a moment later.',
    losesData: true,
    caughtBy: {
      'a kill amid calls loses nothing that was answered, and leaves each room whole or not there':
        'the last change that was answered',
    },
    ...alone,
    faults: ({ marked }) => ({
      changeRoom: async (call) => {
        const { expirationDate } = await call.json()
        const { json } = await also(call, 'GET', `/rooms/${call.name}`)
        void later(1500, async () => marked.has('killed') || call.pass())
        return { status: 200, json: { ...json, expirationDate, settings: { ...json.settings, expirationDate } } }
      },
      atRestart: () => void marked.add('killed'),
    }),
  },
]

async function later(milliseconds: number, work: () => Promise<unknown>): Promise<void> {
  await pause(milliseconds, undefined, { ref: false })
  // The region may have ended by then.
  await work().catch(() => undefined)
}

/** Takes the lock again and again, as long as the room is locked. */
async function renewing(call: Call): Promise<Answer> {
  const answer = await call.pass()
  const { roomId, lock } = answer.json
  const renew = async (): Promise<void> => {
    const found = await also(call, 'GET', `/rooms/${call.name}`)
    if (found.json.lock?.holder !== lock.holder) return
    await also(call, 'POST', `/rooms/${call.name}/lock`, { roomId, holder: lock.holder })
    await later(20_000, renew)
  }
  if (answer.status === 200 && lock !== null) void later(20_000, renew)
  return answer
}

/** Removes these rows of region.db. */
function forget({ region }: Behind, table: string, column: string, values: Set<string>): void {
  const database = new DatabaseSync(join(region.dataDir, 'region.db'))
  const remove = database.prepare(`DELETE FROM ${table} WHERE ${column} = ?`)
  for (const value of values) remove.run(value)
  database.close()
}

function eachRoom(change: (room: string, behind: Behind) => void): (behind: Behind) => void {
  return (behind) => {
    for (const room of behind.names)
      if (room !== '' && existsSync(join(roomFolder(behind, room), 'room.json'))) change(room, behind)
  }
}

function eachRecord(change: (record: Json) => Json): Faults {
  return {
    atRestart: eachRoom((room, behind) => {
      const path = join(roomFolder(behind, room), 'room.json')
      writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')))))
    }),
  }
}

function eachLock(change: (lock: Json) => Json): Faults {
  return eachRecord((record) => ({ ...record, lock: record.lock === null ? null : change(record.lock) }))
}

function removeIn({ region }: Behind, folder: 'rooms' | 'files', names: Set<string>): void {
  for (const name of names)
    if (name !== '') rmSync(join(region.dataDir, folder, name), { recursive: true, force: true })
}

/** Spoils the rooms for which jobs of these types were asked since the last restart. */
function tearing(types: string[]): Faults {
  const rooms = new Set<string>()
  return {
    startJob: async (call) => {
      const { type, room } = await call.json()
      if (types.includes(type)) rooms.add(room)
      return null
    },
    atRestart: (behind) => {
      for (const room of rooms) if (existsSync(roomFolder(behind, room))) emptyDatabases(behind, room)
      rooms.clear()
    },
  }
}
