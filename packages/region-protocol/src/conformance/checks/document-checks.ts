/** Users who work in their rooms: what they write is kept, and packed as of one moment. For regions that keep documents. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Backup, readBackup, rowsOf } from '../backup.ts'
import { type Check, CheckSkipped, expectEqual, expectThat, waitUntil } from '../check.ts'
import { backUp, expectDigest, fetchFile, roomWith } from '../content.ts'
import { callSeconds, type Region } from '../region-under-test.ts'

export const documentChecks: Check[] = [
  {
    name: 'what a user has written is in the digest, in the next backup, and in the room where that is restored',
    page: 'README.md#users-and-their-content',
    run: keepsDocuments,
  },
  {
    name: 'a backup that is made while users write holds all databases as of one moment',
    page: 'formats.md#room-backup-zip',
    run: isOfOneMoment,
  },
  {
    name: 'a lock ends the writes of users, and a backup under it holds what was answered before, and nothing else',
    page: 'locks.md#locks',
    run: (region) =>
      stopsWriters(region, 423, ({ name, roomId }) => region.client.lockRoom(name, { roomId, holder: 'conformance' })),
  },
  {
    name: 'a suspension ends the writes of users, and a backup after it holds what was answered before, and nothing else',
    page: 'locks.md#locks',
    run: (region) => stopsWriters(region, 403, ({ name, roomId }) => region.client.suspendRoom(name, roomId)),
  },
  {
    name: 'in a suspended or expired room users neither read nor write, nor with the token of another room',
    page: 'users.md#sessions',
    run: keepsOut,
  },
  {
    name: 'users delete nothing in a locked room',
    page: 'locks.md#locks',
    run: async (region) => {
      const { name, roomId, vector } = await roomWith(region, 'handled.zip')
      const user = await userOf(region, name)
      await region.client.lockRoom(name, { roomId, holder: 'conformance' })
      expectEqual(await user.put('main', 'plan', 1), 423, 'a write')
      const status = await user.remove('main', 'plan')
      expectThat(status >= 400, 'no success for a deletion', status)
      await expectDigest(region, name, vector, 'after that')
    },
  },
  {
    name: 'the token of a session that has ended, or from before a restore, opens nothing',
    page: 'users.md#sessions',
    run: endsTokens,
  },
  {
    name: 'an import that was done before is done, whatever users have written since, which stays',
    page: 'jobs.md#importdatabase',
    run: importsOnce,
  },
  {
    name: 'writes of users run no trigger and no view of a database that came from outside',
    page: 'formats.md#databases',
    run: runsNothing,
  },
]

export interface User {
  /** @returns the status; 200 for any success, because which one is free */
  put(database: string, id: string, body: unknown): Promise<number>
  get(database: string, id: string): Promise<{ status: number; body: unknown }>
  /** @returns the status */
  remove(database: string, id: string): Promise<number>
}

/** The owner of the vectors. @throws CheckSkipped if the region has no such documents */
export async function userOf({ client, target }: Region, room: string, inRoom = room): Promise<User> {
  const { token } = await client.openSession(room, 'owner@vectors.example')
  const call = (method: string, database: string, id: string, body?: unknown) =>
    fetch(
      `${target.url}/rooms/${inRoom}/databases/${encodeURIComponent(database)}/documents/${encodeURIComponent(id)}`,
      {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(callSeconds * 1000),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      },
    )
  return {
    async put(database, id, body) {
      const answer = await call('PUT', database, id, body)
      await answer.arrayBuffer()
      if (answer.status === 404) throw new CheckSkipped('the region does not keep documents as the reference does')
      return answer.ok ? 200 : answer.status
    },
    remove: async (database, id) => (await call('DELETE', database, id)).status,
    async get(database, id) {
      const answer = await call('GET', database, id)
      return { status: answer.status, body: await answer.json().catch(() => null) }
    },
  }
}

async function keepsDocuments(region: Region): Promise<void> {
  const { name, vector } = await roomWith(region, 'handled.zip')
  await expectDigest(region, name, vector, 'before the write')
  const body = { text: 'Ä 😀', parts: [1, 2.5, null] }
  expectEqual(await (await userOf(region, name)).put('main', 'new one', body), 200, 'a write of the owner')
  const digest = await region.digestOf(name)
  expectThat(digest !== vector.digest, 'another digest than before the write', digest)
  const made = await region.run({ type: 'backupRoom', room: name })
  const found = documentsIn(await readBackup(await fetchFile(region, made)), 'main')
  expectEqual([...found.keys()].toSorted(), ['new one', 'plan', 'zéro'], 'the documents in the backup')
  expectEqual(found.get('new one'), body, 'the document in the backup')
  const copy = await region.newRoom()
  await region.run({ type: 'restoreRoom', ...copy.own, file: made.file })
  expectEqual(await region.digestOf(copy.name), digest, 'the digest of the room where it is restored')
  const there = await (await userOf(region, copy.name)).get('main', 'new one')
  expectEqual(there, { status: 200, body }, 'the document in that room')
}

function documentsIn({ files }: Backup, database: string): Map<string, unknown> {
  const rows = rowsOf(files.get(`databases/${database}.db`) ?? Buffer.alloc(0), 'SELECT id, body FROM documents')
  return new Map(rows.map(({ id, body }) => [String(id), JSON.parse(String(body))]))
}

/** Two databases of room.zip that hold documents. A writer uses them by turns. */
const databases = ['main', 'ａ'] as const

interface Writers {
  /** How many documents each has begun to write, and how many were answered with 200: those with the lowest numbers. */
  begun: number[]
  answered: number[]
  /** Ends when each has got another answer than 200, or was told to stop. @returns their last answers */
  ended: Promise<number[]>
  stop(): void
}

/** Each writes one document after the other. */
async function startWriters(region: Region, room: string): Promise<Writers> {
  const [begun, answered] = [
    [0, 0, 0],
    [0, 0, 0],
  ]
  let isStopped = false
  const write = async (writer: number, { put }: User) => {
    for (let number = 0; ; number += 1) {
      if (isStopped) return 200
      begun[writer] = number + 1
      const status = await put(databases[number % 2] ?? 'main', `${writer} ${number}`, 'x'.repeat(5000))
      if (status !== 200) return status
      answered[writer] = number + 1
    }
  }
  const users = await Promise.all(begun.map(() => userOf(region, room)))
  const ended = Promise.all(users.map((user, writer) => write(writer, user)))
  // A failure is reported when it is waited for.
  ended.catch(() => undefined)
  const stop = () => {
    isStopped = true
  }
  await waitUntil(() => answered.every((count) => count >= 3))
  return { begun, answered, ended, stop }
}

/** How many documents of each writer are in the backup. Expects that none is missing before the last one. */
function writtenIn(backup: Backup, writers: Writers): number[] {
  const ids = databases.flatMap((database) => [...documentsIn(backup, database).keys()])
  return writers.begun.map((_, writer) => {
    const numbers = ids.filter((id) => id.startsWith(`${writer} `)).map((id) => Number(id.split(' ')[1]))
    const sorted = numbers.toSorted((one, other) => one - other)
    const first = [...sorted.keys()]
    expectEqual(sorted, first, `documents of writer ${writer} in the backup, which were written one after the other`)
    return sorted.length
  })
}

async function isOfOneMoment(region: Region): Promise<void> {
  const { name } = await roomWith(region, 'room.zip')
  const writers = await startWriters(region, name)
  try {
    for (const _time of [1, 2]) {
      const before = [...writers.answered]
      const made = await region.run({ type: 'backupRoom', room: name })
      const after = [...writers.begun]
      const written = writtenIn(await readBackup(await fetchFile(region, made)), writers)
      const isBetween = written.every((count, at) => count >= (before[at] ?? 0) && count <= (after[at] ?? 0))
      expectThat(
        isBetween,
        `what was answered before the backup (${before}), and no more than was begun (${after})`,
        written,
      )
    }
  } finally {
    writers.stop()
  }
  expectEqual(await writers.ended, [200, 200, 200], 'the last answers to the writers')
}

async function stopsWriters(
  region: Region,
  status: number,
  stop: (room: { name: string; roomId: string }) => Promise<unknown>,
): Promise<void> {
  const room = await roomWith(region, 'room.zip')
  const writers = await startWriters(region, room.name)
  await stop(room)
  const backup = await backUp(region, room.name)
  // Writers who are not refused by now have to be told to stop.
  await Promise.race([writers.ended, pause(1000)])
  writers.stop()
  expectEqual(await writers.ended, [status, status, status], 'the last answers to the writers')
  expectEqual(
    writtenIn(backup, writers),
    writers.answered,
    'documents in the backup, compared with those answered with 200',
  )
  const digest = await region.digestOf(room.name)
  await region.client.resumeRoom(room.name, room.roomId)
  await region.client.unlockRoom(room.name, { roomId: room.roomId, holder: 'conformance' })
  expectEqual(await region.digestOf(room.name), digest, 'the digest of the room, once users may write again')
  expectEqual(await (await userOf(region, room.name)).put('main', 'later', null), 200, 'a write, once users may')
}

async function keepsOut(region: Region): Promise<void> {
  const { client } = region
  const [room, other] = [await roomWith(region, 'handled.zip'), await roomWith(region, 'handled.zip')]
  const user = await userOf(region, room.name)
  expectEqual(await user.put('main', 'mine', 1), 200, 'a write of the owner')
  const stranger = await userOf(region, other.name, room.name)
  expectThat(
    [401, 403].includes(await stranger.put('main', 'theirs', 1)),
    '401 or 403 for the token of another room',
    200,
  )
  expectThat([401, 403].includes((await stranger.get('main', 'mine')).status), '401 or 403 for reading with it', 200)
  const digest = await region.digestOf(room.name)
  const expectOut = async (what: string) => {
    expectEqual([await user.put('main', 'mine', 2), (await user.get('main', 'mine')).status], [403, 403], what)
  }
  await client.suspendRoom(room.name, room.roomId)
  await expectOut('a write and a read in a suspended room')
  expectEqual(await region.digestOf(room.name), digest, 'the digest of the room')
  await client.resumeRoom(room.name, room.roomId)
  await client.changeRoom(room.name, { roomId: room.roomId, expirationDate: '2001-01-01' })
  await expectOut('a write and a read in an expired room')
}

async function endsTokens(region: Region): Promise<void> {
  const { client, run } = region
  const { name, own } = await roomWith(region, 'handled.zip')
  const { file } = await run({ type: 'backupRoom', room: name })
  const ends: Record<string, () => Promise<unknown>> = {
    'the end of the session': async () => {
      for (const { id } of await client.sessions(name)) await client.endSession(name, id)
    },
    'a restore': () => run({ type: 'restoreRoom', ...own, file }),
  }
  for (const [what, end] of Object.entries(ends)) {
    const user = await userOf(region, name)
    expectEqual(await user.put('main', 'mine', 1), 200, 'a write')
    await end()
    expectEqual([await user.put('main', 'mine', 2), (await user.get('main', 'plan')).status], [401, 401], what)
  }
}

async function runsNothing(region: Region): Promise<void> {
  const { name, vector } = await roomWith(region, 'room.zip')
  const { put, get } = await userOf(region, name)
  for (const database of ['triggered', 'viewed', 'lookalike', 'values']) {
    const answers = [await put(database, 'new', 1), (await get(database, 'createdAt')).status]
    expectThat(!answers.includes(200), `no success for a write and a read in ${database}`, answers)
  }
  await expectDigest(region, name, vector, 'after that')
}

async function importsOnce(region: Region): Promise<void> {
  const { run } = region
  const { name, own } = await roomWith(region, 'handled.zip')
  const { file } = await run({ type: 'backupDatabase', room: name, database: 'main', password: 'password' })
  const add = { type: 'importDatabase', ...own, database: 'added', file, password: 'password' } as const
  await run(add)
  expectEqual(await (await userOf(region, name)).put('added', 'new', 1), 200, 'a write into the imported database')
  const digest = await region.digestOf(name)
  expectEqual(await run(add), { database: 'added' }, 'the same import, as another job')
  expectEqual(await region.digestOf(name), digest, 'the digest of the room')
}
