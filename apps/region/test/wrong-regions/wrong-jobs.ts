/** Regions whose jobs do not do what they say, and those that give, keep or take the wrong content. */
import { randomUUID } from 'node:crypto'
import {
  after,
  also,
  answering,
  asking,
  believing,
  ended,
  failedJob,
  jobOf,
  keeping,
  putFile,
  refusal,
  restores,
  resulting,
  run,
  saying,
  telling,
} from './faults.ts'
import { copyContent, emptyDatabases, type OldContent } from './rooms-on-disk.ts'
import type { Json, WrongRegion } from './wrong-region.ts'

const tells = 'a job tells its state, progress and the log lines after a number'
const sameJob = 'the same job id again is the same job; with another input it is refused with 409'
const missing = 'a job for a room that is not there is refused with 404; its deletion counts as done'
const deleted = 'a deleted room is gone, and its name is free for another room, in which nothing of it is left'
const elsewhere = 'a restore of a backup of the region replaces all content; what is not content stays'
const noBackup = 'a restore of another product, or of a file that is not there, fails and leaves the room as it was'
const noStore = 'an object store that cannot be reached may pass, and leaves the room as it was'
const databases = 'databases are exported, imported, deleted and restored, with all that is in them'
const names = 'an import takes no name that is taken, in any case, unless both hold the same or it has been done before'
const password = 'a wrong password of an export is told apart from damage, also while others try'
const systemPassword = 'an update of the system database needs the system password'
const cancelled = 'a cancelled restore, import or deletion has taken effect, or has left the room as it was'
const replaced =
  'what replaceRoom replaces is kept and put back as it was, whatever becomes of the room; state and roomId stay'
const notReplaced = 'what is refused in place of a room’s content replaces nothing, and nothing is put back afterwards'
const verified = 'a good backup is verified, also of a room that is not there, and nothing of it can be reached'
const purged = 'a purge removes a copy of the room and the files made of it, and finds nothing the next time'

export const wrongJobs: WrongRegion[] = [
  {
    name: 'job-runs-again',
    does: 'The same job id again runs the job again.',
    caughtBy: { [sameJob]: 'the result' },
    faults: (behind) => ({
      startJob: async (call) => {
        const { type } = await call.json()
        if (type !== 'backupRoom' || !behind.marked.has(call.id)) {
          behind.marked.add(call.id)
          return call.pass()
        }
        const answer = await ended({ ...call, id: `again-${randomUUID()}` })
        return { ...answer, json: { ...answer.json, id: call.id } }
      },
    }),
  },
  {
    name: 'job-differs-ignored',
    does: 'A known job id with another input is answered with the known job.',
    caughtBy: { [sameJob]: 'another input' },
    faults: {
      startJob: async (call) => {
        const answer = await call.pass()
        return answer.json.type === 'urn:roomkeeper-region:job-differs' ? also(call, 'GET', `/jobs/${call.id}`) : answer
      },
    },
  },
  {
    name: 'lines-from-first',
    does: 'A job tells all its lines each time.',
    caughtBy: { [tells]: 'the lines after 1' },
    faults: { job: (call) => call.pass({ url: call.url.replace('after=1', 'after=0') }) },
  },
  {
    name: 'lines-from-zero',
    does: 'The lines of a job are numbered from 0.',
    caughtBy: { [tells]: 'the numbers of the lines' },
    faults: telling('backupRoom', (job) => {
      for (const line of job.lines) line.n -= 1
    }),
  },
  {
    name: 'always-new',
    does: 'Each answer to PUT says that the job is new.',
    caughtBy: { 'the call that starts a job may wait for its end, and may tell whether it has started it': 'isNew' },
    faults: { startJob: answering((job) => ({ ...job, isNew: true })) },
  },
  {
    name: 'refused-late',
    does: 'A job for a room that is not there is taken, and fails.',
    caughtBy: { [missing]: 'expected a refusal with 404' },
    faults: {
      startJob: async (call) => {
        const answer = await call.pass()
        if (answer.status !== 404) return answer
        return failedJob(call, await call.json(), answer)
      },
    },
  },
  {
    name: 'deletion-once',
    does: 'The deletion of a room that is not there is refused.',
    caughtBy: { [missing]: '404' },
    faults: {
      startJob: async (call) => {
        const { type, room } = await call.json()
        const isGone = type === 'deleteRoom' && (await also(call, 'GET', `/rooms/${room}`)).status === 404
        return isGone ? refusal(404, 'room-unknown') : call.pass()
      },
    },
  },
  {
    name: 'deletion-leaves-room',
    does: 'deleteRoom is done, and the room is still there.',
    caughtBy: { [deleted]: 'the room' },
    faults: {
      startJob: async (call, behind) => {
        const input = await call.json()
        if (input.type !== 'deleteRoom' || behind.marked.has('stopped')) return call.pass()
        return ended(call, { type: 'digestRoom', room: input.room }).then((answer) => ({
          ...answer,
          json: { ...answer.json, type: 'deleteRoom', result: { existed: true } },
        }))
      },
    },
  },
  {
    name: 'deletion-leaves-databases',
    does: 'A room that is created under the name of a deleted one has its databases.',
    caughtBy: { [deleted]: 'the databases of the new room' },
    faults: () => {
      const left = new Map<string, OldContent>()
      return {
        startJob: async (call, behind) => {
          const { type, room } = await call.json()
          if (type === 'deleteRoom' && !left.has(room)) left.set(room, copyContent(behind, room))
          return null
        },
        createRoom: async (call) => {
          const answer = await call.pass()
          left.get(call.name)?.putBackDatabases()
          left.get(call.name)?.remove()
          return answer
        },
      }
    },
  },
  {
    name: 'update-in-words',
    does: 'The update of a system database tells the newest version, and does nothing.',
    caughtBy: {
      'a restored room keeps the schema version of its backup until it is updated, which changes nothing else':
        'another digest, because it has the version',
    },
    faults: {
      startJob: async (call) => {
        const { type, room } = await call.json()
        const done = { ...jobOf(call.id, type, room, 'done'), progress: 1, result: { from: 1, to: 2 } }
        return type === 'updateSystemDatabase' ? { status: 200, json: done } : null
      },
    },
  },
  {
    name: 'cancelled-goes-on',
    varies: true,
    does: 'A job is said to be cancelled, goes on, and changes the room.',
    losesData: true,
    caughtBy: { [cancelled]: 'half a second after restoreRoom' },
    faults: () => {
      const begun = new Map<string, () => void>()
      return {
        startJob: async (call) => {
          const { type, room } = await call.json()
          // The kit does not wait for the end of the job that it cancels.
          if (type !== 'restoreRoom' || call.url.includes('wait=')) return call.pass()
          // The job waits until its cancellation.
          begun.set(call.id, () => void setTimeout(() => void ended(call), 200))
          return { status: 200, json: jobOf(call.id, type, room, 'queued') }
        },
        cancelJob: async (call) => {
          const begin = begun.get(call.id)
          if (begin === undefined) return call.pass()
          begin()
          return failedJob(call, { type: 'restoreRoom', room: 'room' }, refusal(409, 'cancelled'))
        },
      }
    },
  },
  {
    name: 'cancelled-again',
    varies: true,
    does: 'The cancellation of a job that has ended makes it a cancelled one.',
    caughtBy: { [cancelled]: 'cancelled again' },
    faults: ({ marked }) => ({
      cancelJob: answering((job) => {
        const isFirst = !marked.has(job.id)
        marked.add(job.id)
        if (isFirst) return job
        const error = job.state === 'done' ? refusal(409, 'cancelled').json : null
        return { ...job, state: error === null ? 'done' : 'failed', result: { existed: true }, error }
      }),
    }),
  },
  {
    name: 'restore-does-nothing',
    does: 'A restore is done, and the room has its former content.',
    losesData: true,
    caughtBy: { [elsewhere]: 'once it is restored: the digest' },
    faults: {
      startJob: async (call) => {
        const { type, room } = await call.json()
        if (type !== 'restoreRoom') return call.pass()
        const answer = await ended(call, { type: 'digestRoom', room })
        return { ...answer, json: { ...answer.json, type, result: { databases: ['main'] } } }
      },
    },
  },
  {
    name: 'restore-step-by-step',
    varies: true,
    does: 'A restore removes the databases, and then brings the new ones: meanwhile the room is empty.',
    losesData: true,
    caughtBy: {
      'calls see the whole old content or the whole new content of a room that is restored':
        'neither the old content nor the new one',
    },
    faults: ({ marked }) => ({
      startJob: async (call) => {
        const { type, room } = await call.json()
        if (type !== 'restoreRoom') return null
        marked.add(room)
        const answer = await ended(call)
        marked.delete(room)
        return answer
      },
      room: answering((room) => (marked.has(room.name) ? { ...room, databases: [] } : room)),
    }),
  },
  {
    name: 'restore-resumes',
    does: 'A restored room is active, whatever it was before.',
    losesData: true,
    caughtBy: { [elsewhere]: 'roomId, edition, state and holder' },
    faults: after(restores, ({ room, roomId }, _, call) => also(call, 'POST', `/rooms/${room}/resume`, { roomId })),
  },
  {
    name: 'restore-unlocks',
    does: 'A restored room is no longer locked.',
    losesData: true,
    caughtBy: { [elsewhere]: 'roomId, edition, state and holder' },
    faults: after(restores, ({ room, roomId, holder }, _, call) =>
      also(call, 'POST', `/rooms/${room}/unlock`, { roomId, holder }),
    ),
  },
  {
    name: 'half-restore',
    does: 'A restore that fails has removed the former content before.',
    losesData: true,
    caughtBy: { [noBackup]: 'the digest of the room' },
    faults: {
      startJob: async (call, behind) => {
        const answer = await ended(call)
        const { type, room } = await call.json()
        if (restores.includes(type) && answer.json.state === 'failed') emptyDatabases(behind, room)
        return answer
      },
    },
  },
  {
    name: 'nothing-restores',
    does: 'A restore of a file that is not there is done.',
    losesData: true,
    caughtBy: { [noBackup]: 'a file that is not there: expected a failure' },
    faults: believing(restores, 'file-unknown', () => ({ databases: ['main'] })),
  },
  {
    name: 'restore-keeps-sessions',
    does: 'Sessions from before a restore go on.',
    caughtBy: { 'a restore ends the sessions and forgets the times of backups': 'the sessions after the restore' },
    faults: () => {
      const opened: Json[] = []
      return {
        openSession: answering(({ token: _, ...session }) => void opened.push(session)),
        sessions: saying(200, opened),
      }
    },
  },
  {
    name: 'store-refuses',
    does: 'An object store that cannot be reached fails a job for good.',
    caughtBy: { [noStore]: 'to fail with 503 object-store-unreachable' },
    faults: telling('backupToObjectStore', (job) => {
      if (job.state === 'failed') job.error.status = 403
    }),
  },
  {
    name: 'secrets-shown',
    does: 'The error of a job has the credentials of the object store.',
    caughtBy: { [noStore]: 'a job that shows no secret' },
    faults: () => {
      const secrets = new Map<string, string>()
      const shown = answering((job) => {
        if (job.state === 'failed') job.error.detail = `No connection with the key ${secrets.get(job.id)}.`
      })
      return {
        job: shown,
        startJob: async (call, behind) => {
          const { target, source } = await call.json()
          secrets.set(call.id, (target ?? source)?.secretKey)
          return shown(call, behind)
        },
      }
    },
  },
  {
    name: 'any-bucket',
    does: 'The name of a bucket is not looked at before the job runs.',
    caughtBy: { 'a place in an object store that is none is refused with 400': 'Not A Bucket' },
    faults: {
      startJob: asking((job) => {
        if (job.target?.bucket !== undefined) job.target.bucket = 'bucket'
      }),
    },
  },
  {
    name: 'never-backed-up',
    does: 'backupAt is always null.',
    caughtBy: { [databases]: 'a time of backup' },
    faults: { databases: answering((list) => list.map((each: Json) => ({ ...each, backupAt: null }))) },
  },
  {
    name: 'restores-no-deleted-database',
    does: 'A database that was deleted cannot be restored.',
    caughtBy: { [databases]: 'restoreDatabase' },
    faults: {
      startJob: async (call) => {
        const { type, room } = await call.json()
        const { json } = await also(call, 'GET', `/rooms/${room}`)
        const isGone = type === 'restoreDatabase' && !json.databases?.includes('main')
        const said = refusal(404, 'database-unknown')
        said.json.detail = 'restoreDatabase: there is no database of this name.'
        return isGone ? said : call.pass()
      },
    },
  },
  {
    name: 'names-climb',
    does: 'The name of an imported database is taken as a path.',
    caughtBy: { [databases]: 'a name that climbs' },
    faults: {
      startJob: asking((job) => (job.database === '../x' ? { ...job, database: 'x' } : job)),
    },
  },
  {
    name: 'imports-overwrite',
    does: 'An import under a name that is taken replaces the database.',
    losesData: true,
    caughtBy: {
      [names]: 'a name of a database that holds something else: expected a failure',
    },
    faults: {
      startJob: asking((job) => (job.type === 'importDatabase' ? { ...job, type: 'restoreDatabase' } : job)),
      job: answering((job) => (job.type === 'restoreDatabase' ? { ...job, type: 'importDatabase' } : job)),
    },
  },
  {
    name: 'password-as-damage',
    does: 'A wrong password of an export is told as damage.',
    caughtBy: { [password]: 'the password wrong to fail with 422 wrong-password' },
    faults: telling('importDatabase', (job) => {
      if (job.state === 'failed') job.error = refusal(422, 'damaged-file').json
    }),
  },
  {
    name: 'damage-as-password',
    does: 'Whatever cannot be decrypted counts as a wrong password.',
    caughtBy: { [password]: 'damaged bytes to fail with 422 damaged-file' },
    faults: telling('importDatabase', (job) => {
      if (job.state === 'failed') job.error = refusal(422, 'wrong-password').json
    }),
  },
  {
    name: 'room-before-password',
    does: 'The room is looked for before the system password is compared, so a test of the password says nothing.',
    caughtBy: { [systemPassword]: 'a wrong password for a room that is not there' },
    faults: {
      startJob: async (call) => {
        const answer = await call.pass()
        const { room } = await call.json()
        const isUnknown = answer.status === 403 && (await also(call, 'GET', `/rooms/${room}`)).status === 404
        return isUnknown ? refusal(404, 'room-unknown') : answer
      },
    },
  },
  {
    name: 'any-system-password',
    does: 'The system password is not compared.',
    caughtBy: { [systemPassword]: 'a wrong password: expected a refusal with 403' },
    faults: {
      startJob: asking((job) => ({ ...job, ...(job.systemPassword && { systemPassword: 'system password' }) })),
    },
  },
  {
    name: 'names-by-letter',
    does: 'Names of databases that differ in case only are two databases.',
    caughtBy: { [names]: 'a name in another case: expected a failure' },
    faults: {
      startJob: async (call) => {
        const { type, room, database } = await call.json()
        const isOther = type === 'importDatabase' && database === 'VALUES'
        const done = { ...jobOf(call.id, type, room, 'done'), progress: 1, result: { database } }
        return isOther ? { status: 200, json: done } : null
      },
    },
  },
  {
    name: 'put-back-now',
    does: 'What is put back has the settings of now, because it shares a file with the room.',
    losesData: true,
    caughtBy: { [replaced]: 'once it is put back: the digest' },
    faults: keeping(['putBackRoom'], (old) => old.putBackSystem(['settings'])),
  },
  {
    name: 'put-back-linked',
    does: 'Databases that stay when others join are linked, not copied, so what is kept follows their changes.',
    losesData: true,
    caughtBy: {
      'what a room held before databases of a product backup joined it does not follow its later changes':
        'once it is put back: the digest',
    },
    faults: after(['putBackRoom'], ({ room, roomId, holder }, _, call) =>
      run(call, { type: 'deleteDatabase', room, roomId, holder, database: 'main' }),
    ),
  },
  {
    name: 'put-back-through-locks',
    does: 'putBackRoom changes a room that another holds locked.',
    losesData: true,
    caughtBy: { 'nothing is put back into a room that is locked, or is another': 'a locked room' },
    faults: { startJob: asking((job) => ({ ...job, ...(job.type === 'putBackRoom' ? { holder: 'holder' } : {}) })) },
  },
  {
    name: 'put-back-resumes',
    does: 'A room is active when its former content is put back.',
    losesData: true,
    caughtBy: { [replaced]: 'roomId and state' },
    faults: after(['putBackRoom'], ({ room, roomId }, _, call) =>
      also(call, 'POST', `/rooms/${room}/resume`, { roomId }),
    ),
  },
  {
    name: 'put-back-once',
    does: 'The same putBackRoom again under another job id says that nothing was replaced.',
    caughtBy: { [replaced]: 'put back again' },
    faults: (behind) =>
      resulting('putBackRoom', (result, { id, room }) => {
        const isAgain = [...behind.marked].some((each) => each.startsWith(`${room} `) && each !== `${room} ${id}`)
        behind.marked.add(`${room} ${id}`)
        return isAgain ? { replaced: false } : result
      }),
  },
  {
    name: 'keeps-the-newest',
    does: 'A second replaceRoom with the same id keeps what the first one has brought.',
    losesData: true,
    caughtBy: {
      'a second replacement under one id keeps what the first one replaced': 'once it is put back: the digest',
    },
    faults: () => {
      const counts = new Map<string, number>()
      return {
        startJob: asking((job, call) => {
          if (job.type === 'replaceRoom' && !counts.has(call.id)) {
            const count = (counts.get(job.keep) ?? 0) + 1
            counts.set(job.keep, count).set(call.id, count)
          }
          if (job.type === 'replaceRoom') return { ...job, keep: `${job.keep}-${counts.get(job.keep)}` }
          if (job.type === 'putBackRoom') return { ...job, kept: `${job.kept}-${counts.get(job.kept)}` }
        }),
      }
    },
  },
  {
    name: 'put-back-after-deletion',
    does: 'What was kept of a deleted room is put back into a new one.',
    losesData: true,
    caughtBy: {
      'what was kept of a deleted room does not come back, not even into a room with the same roomId':
        'the former content',
    },
    faults: telling('putBackRoom', (job) => {
      const isEnded = job.state === 'done' || job.state === 'failed'
      return isEnded ? { ...job, state: 'done', progress: 1, error: null, result: { replaced: true } } : job
    }),
  },
  {
    name: 'put-back-claims',
    does: 'putBackRoom says that it has put back what was never replaced.',
    losesData: true,
    caughtBy: { [notReplaced]: 'a room that was not replaced' },
    faults: resulting('putBackRoom', () => ({ replaced: true })),
  },
  {
    name: 'verifies-in-room',
    does: 'A test of a backup leaves a room of the name.',
    caughtBy: { [verified]: 'a room of the name' },
    faults: {
      startJob: async (call) => {
        const answer = await ended(call)
        const { type, room } = await call.json()
        if (type === 'verifyBackup') await also(call, 'PUT', `/rooms/${room}`, newRoom())
        return answer
      },
    },
  },
  {
    name: 'verify-counts-manifest',
    does: 'A test of a backup counts the manifest as a file.',
    caughtBy: { [verified]: 'files, databases, digest and rebuilt databases' },
    faults: resulting('verifyBackup', (result) => ({ ...result, files: result.files + 1 })),
  },
  {
    name: 'purge-lies',
    does: 'A purge tells what it has removed, and removes nothing.',
    caughtBy: { [purged]: 'the room' },
    faults: { startJob: asking((job) => ({ ...job, ...(job.type === 'purgeRoom' ? { look: true } : {}) })) },
  },
  {
    name: 'purge-leaves-files',
    does: 'A purge removes the room, and not the backups that were made of it.',
    caughtBy: { [purged]: 'the file' },
    faults: () => {
      const made: string[] = []
      return {
        startJob: async (call) => {
          const { type, look } = await call.json()
          if (type !== 'purgeRoom' || look) {
            const answer = await ended(call)
            if (answer.json.result?.file !== undefined) made.push(answer.json.result.file)
            return answer
          }
          const files = await Promise.all(
            made.map(async (id) => ({ id, ...(await also(call, 'GET', `/files/${id}`)) })),
          )
          const answer = await ended(call)
          for (const { id, bytes } of files) if (bytes !== undefined) await putFile(call, id, bytes)
          return answer
        },
      }
    },
  },
  {
    name: 'purge-leaves-kept',
    does: 'A purge does not look at what replaceRoom kept.',
    caughtBy: { 'a purge removes the content that was kept, and the files that jobs have read': 'what was removed' },
    faults: resulting('purgeRoom', (result) => ({ ...result, kept: 0 })),
  },
  {
    name: 'purge-by-name',
    does: 'A purge removes any room of the name.',
    losesData: true,
    caughtBy: { 'a purge does not touch another room of the same name': 'what was removed' },
    faults: {
      startJob: asking(async (job, call) => {
        if (job.type !== 'purgeRoom') return job
        const { json } = await also(call, 'GET', `/rooms/${job.room}`)
        return { ...job, roomId: json.roomId ?? job.roomId }
      }),
    },
  },
  {
    name: 'purge-through-locks',
    does: 'A purge removes a room that another holds locked.',
    losesData: true,
    caughtBy: { 'a purge leaves a copy that is locked': 'expected a failure' },
    faults: {
      startJob: async (call) => {
        const { type, room, roomId } = await call.json()
        const { lock } = (await also(call, 'GET', `/rooms/${room}`)).json
        if (type === 'purgeRoom' && lock)
          await also(call, 'POST', `/rooms/${room}/unlock`, { roomId, holder: lock.holder })
        return call.pass()
      },
    },
  },
]

function newRoom() {
  const contacts = { companyName: '', customerFirstName: '', customerLastName: '', ownerEmail: 'o@example.org' }
  return {
    roomId: randomUUID(),
    product: 'ARIS',
    edition: 'basic',
    licences: [],
    subLicences: [],
    subMiningType: 'NONE',
    expirationDate: null,
    contacts: { ...contacts, customerContactDetails: null, delegateEmail: null },
  }
}
