/** Regions in which users write when they may not, or what they have written is lost. */
import { setTimeout as pause } from 'node:timers/promises'
import { backupWith, filesOfZip } from '../hostile-file.ts'
import { also, ended, refusal, remaking, run } from './faults.ts'
import type { Answer, Behind, Call, WrongRegion } from './wrong-region.ts'

const locked = 'a lock ends the writes of users, and a backup under it holds what was answered before, and nothing else'
const suspended =
  'a suspension ends the writes of users, and a backup after it holds what was answered before, and nothing else'
const oneMoment = 'a backup that is made while users write holds all databases as of one moment'
const keptOut = 'in a suspended or expired room users neither read nor write, nor with the token of another room'

export const wrongWrites: WrongRegion[] = [
  {
    name: 'writes-lost',
    does: 'What a user writes is answered, and not kept.',
    losesData: true,
    caughtBy: {
      'what a user has written is in the digest, in the next backup, and in the room where that is restored':
        'another digest than before the write',
    },
    faults: { document: async (call) => (call.method === 'PUT' ? written(call) : null) },
  },
  {
    name: 'writes-while-locked',
    does: 'Users write in a locked room, so a move loses what they write.',
    losesData: true,
    caughtBy: { [locked]: 'the last answers to the writers' },
    faults: { document: writingDespite(423) },
  },
  {
    name: 'writes-after-lock',
    varies: true,
    does: 'A write that was begun before the lock is done after the lock was answered.',
    losesData: true,
    caughtBy: { [locked]: 'documents in the backup, compared with those answered with 200' },
    faults: () => {
      const packed = Promise.withResolvers<void>()
      const late = new Set<string>()
      return {
        startJob: async (call) => {
          const answer = await ended(call)
          if ((await call.json()).type === 'backupRoom') packed.resolve()
          return answer
        },
        document: async (call, behind) => {
          const answer = await call.pass()
          // The one write of each user that was under way.
          const [user = ''] = documentOf(call).id.split(' ')
          if (answer.status !== 423 || late.has(user)) return answer
          late.add(user)
          await packed.promise
          return write(call, behind)
        },
      }
    },
  },
  {
    name: 'writes-while-suspended',
    does: 'A user who had signed in before writes in a suspended room.',
    losesData: true,
    caughtBy: { [suspended]: 'the last answers to the writers' },
    faults: { document: writingDespite(403) },
  },
  {
    name: 'reads-while-suspended',
    does: 'A user who had signed in before reads in a suspended room.',
    caughtBy: { [keptOut]: 'a write and a read in a suspended room' },
    faults: {
      document: async (call) => {
        const answer = await call.pass()
        return call.method === 'GET' && answer.status === 403 ? { status: 200, json: 1 } : answer
      },
    },
  },
  {
    name: 'tokens-of-any-room',
    does: 'The token of one room opens every other room.',
    caughtBy: { [keptOut]: '401 or 403 for the token of another room' },
    faults: { document: writingDespite(401) },
  },
  {
    name: 'backup-torn',
    varies: true,
    does: 'A backup packs the databases one after the other while users write, so they are of different moments.',
    losesData: true,
    caughtBy: { [oneMoment]: 'which were written one after the other' },
    faults: () => {
      const first = new Map<string, Buffer>()
      const torn = remaking('backupRoom', (zip, job) =>
        backupWith(zip, { 'databases/main.db': first.get(job) ?? Buffer.alloc(0) }),
      )
      return {
        ...torn,
        startJob: async (call, behind) => {
          const { type, room } = await call.json()
          if (type === 'backupRoom' && !first.has(call.id)) {
            const { file } = await run(call, { type, room })
            const zip = (await also(call, 'GET', `/files/${file}`)).bytes ?? Buffer.alloc(0)
            first.set(call.id, (await filesOfZip(zip)).get('databases/main.db') ?? Buffer.alloc(0))
            await pause(300)
          }
          return torn.startJob?.(call, behind) ?? null
        },
      }
    },
  },
  {
    name: 'imports-again',
    does: 'An import that was done is done again, over what users have written since.',
    losesData: true,
    caughtBy: {
      'an import that was done before is done, whatever users have written since, which stays':
        'the digest of the room',
    },
    faults: {
      startJob: async (call) => {
        const input = await call.json()
        if (input.type !== 'importDatabase') return null
        const answer = await ended(call, { ...input, type: 'restoreDatabase' })
        return { ...answer, json: { ...answer.json, type: 'importDatabase' } }
      },
    },
  },
  {
    name: 'imports-once',
    does: 'An import that was done is refused when it is asked for again, because users have written since.',
    caughtBy: {
      'an import that was done before is done, whatever users have written since, which stays': 'database-exists',
    },
    faults: ({ marked }) => ({
      startJob: async (call) => {
        const { type, room, database } = await call.json()
        if (type !== 'importDatabase') return null
        const key = `${room} ${database}`
        if (marked.has(key)) return refusal(409, 'database-exists')
        marked.add(key)
        return null
      },
    }),
  },
  {
    name: 'triggers-fire',
    does: 'What users write goes into any table of the name, with its triggers.',
    losesData: true,
    caughtBy: {
      'writes of users run no trigger and no view of a database that came from outside':
        'no success for a write and a read in triggered',
    },
    faults: { document: writingDespite(409, written) },
  },
]

function documentOf({ url }: Call): { room: string; database: string; id: string } {
  const [, , room = '', , database = '', , id = ''] = new URL(url, 'http://region').pathname.split('/')
  return { room, database: decodeURIComponent(database), id: decodeURIComponent(id) }
}

/** The answer to a write. */
async function written(call: Call): Promise<Answer> {
  await call.bytes()
  return { status: 200, json: { id: documentOf(call).id, changedAt: new Date().toISOString() } }
}

/** Writes behind the back of the reference. */
async function write(call: Call, behind: Behind): Promise<Answer> {
  const { room, database, id } = documentOf(call)
  const values = [id, String(await call.bytes()), new Date().toISOString()]
  const texts = values.map((value) => `'${value.replaceAll("'", "''")}'`)
  behind.change(room, `databases/${database}.db`, `INSERT OR REPLACE INTO documents VALUES (${texts.join()})`)
  return written(call)
}

/** Writes that the reference refuses with this status are done. */
function writingDespite(status: number, writing: (call: Call, behind: Behind) => Promise<Answer> = write) {
  return async (call: Call, behind: Behind): Promise<Answer> => {
    const answer = await call.pass()
    return call.method === 'PUT' && answer.status === status ? writing(call, behind) : answer
  }
}
