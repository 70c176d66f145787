/** Rooms that exist but cannot be read: callers are told so, and never that the rooms are gone. */
import { randomUUID } from 'node:crypto'
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type JobRequest, regionBasePath, regionRoutes } from '@roomkeeper/region-protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentsOf } from './documents.ts'
import { newCreation, type RegionProcess, startRegion, systemPassword } from './region-process.ts'

const creation = newCreation()
const ways = {
  /** Damaged before the region started. */
  record: (room: string) => writeFile(join(room, 'room.json'), '{'),
  withoutrecord: (room: string) => rm(join(room, 'room.json')),
  restored: async (room: string) => {
    const swap = join(room, '..', `.swap-restored-${randomUUID()}`)
    await mkdir(swap)
    await rename(room, join(swap, 'new'))
  },
  /** Damaged while it runs. */
  gone: (room: string) => rename(room, `${room}.elsewhere`),
  withoutsystem: (room: string) => rm(join(room, 'system.db')),
  torn: (room: string) =>
    writeFile(join(room, 'system.db'), 'no database at all, but long enough to be one '.repeat(100)),
}
type Way = keyof typeof ways
const beforeStart: readonly Way[] = ['record', 'withoutrecord', 'restored']
const names = Object.keys(ways) as Way[]

let region: RegionProcess
const users: string[] = []
const tokens: Record<string, string> = {}
beforeAll(async () => {
  region = await startRegion()
  for (const name of names) {
    await region.client.createRoom(name, { ...creation, roomId: roomIdOf(name) })
    const session = await region.client.openSession(name, 'delegate@example.org')
    users.push(session.userId)
    tokens[name] = session.token
  }
  await region.kill()
  for (const name of beforeStart) await ways[name](join(region.dataDir, 'rooms', name))
  region = await region.again()
  for (const name of names) if (!beforeStart.includes(name)) await ways[name](join(region.dataDir, 'rooms', name))
})
afterAll(() => region.remove())

function roomIdOf(name: Way): string {
  return `00000000-0000-4000-8000-00000000000${names.indexOf(name)}`
}

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; type?: string }> {
  const { token } = await signedIn
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const answer = await fetch(region.url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const problem = answer.status === 204 ? {} : ((await answer.json()) as { type?: string })
  return { status: answer.status, ...(problem.type === undefined ? {} : { type: problem.type }) }
}
let signedIn: Promise<{ token: string }>
beforeAll(() => {
  const { userName, password } = region.address
  signedIn = fetch(`${region.url}${regionBasePath}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName, password }),
  }).then((answer) => answer.json() as Promise<{ token: string }>)
})

const damaged = { status: 409, type: 'urn:roomkeeper-region:room-damaged' }
/** The calls for redirects are not among them: a redirect is for visitors and exists independently of its room. */
const calls = Object.entries(regionRoutes).filter(([, { path }]) => path.startsWith('/rooms/:name'))

test('the calls for a room are those of the protocol', () => {
  expect(calls.map(([, { method, path }]) => `${method} ${path.replace('/rooms/:name', '')}`.trim()).sort()).toEqual([
    'DELETE /sessions/:id',
    'GET',
    'GET /console-record',
    'GET /databases',
    'GET /licences',
    'GET /sessions',
    'PATCH',
    'POST /lock',
    'POST /resume',
    'POST /sessions',
    'POST /suspend',
    'POST /unlock',
    'PUT',
    'PUT /console-record',
  ])
})

test.each(names)('every call for a damaged room is answered that it is damaged: %s', async (name) => {
  const roomId = roomIdOf(name)
  const bodies: Record<string, unknown> = {
    createRoom: { ...creation, roomId },
    changeRoom: { roomId, expirationDate: '2099-12-31' },
    suspendRoom: { roomId },
    resumeRoom: { roomId },
    lockRoom: { roomId, holder: 'me' },
    unlockRoom: { roomId, holder: 'me' },
    keepConsoleRecord: { roomId, record: 'sealed' },
    openSession: { user: 'owner@example.org' },
  }
  const answers: Record<string, unknown> = {}
  for (const [route, { method, path }] of calls)
    answers[route] = await call(
      method,
      regionBasePath + path.replace(':name', name).replace(':id', 'any'),
      bodies[route],
    )
  expect(answers).toEqual(Object.fromEntries(calls.map(([route]) => [route, damaged])))
})

test.each(names)('no job on a damaged room ends as if it were gone or as if it were done: %s', async (name) => {
  const own = { room: name, roomId: roomIdOf(name) }
  const folder = {
    endpoint: 'http://127.0.0.1:1',
    region: 'r',
    bucket: 'bucket',
    key: 'k',
    accessKey: 'a',
    secretKey: 's',
  }
  const jobs: JobRequest[] = [
    { type: 'backupRoom', room: name },
    { type: 'backupDatabase', room: name, database: 'main', password: 'p' },
    { type: 'updateSystemDatabase', ...own, systemPassword },
    { type: 'digestRoom', room: name },
    { type: 'backupToObjectStore', room: name, target: { ...folder, sessionToken: null } },
    // A room whose record is known can be deleted, whatever else is wrong with it.
    ...(['withoutsystem', 'torn'].includes(name) ? [] : [{ type: 'deleteRoom', ...own } as const]),
  ]
  for (const job of jobs) {
    const failure = await region.client.runJob(randomUUID(), job).then(
      (result) => result,
      (error: { status?: number; type?: string }) => ({ status: error.status, type: error.type }),
    )
    expect([job.type, failure]).toEqual([job.type, damaged])
  }
})

test('a user of a damaged room is not told to be gone', async () => {
  for (const user of users) expect(await call('DELETE', `${regionBasePath}/users/${user}`)).toEqual(damaged)
})

test('visitors and users of a damaged room are not told that there is none', async () => {
  for (const name of names) {
    const page = await fetch(`${region.url}/${name}`)
    expect([name, page.status]).toEqual([name, 503])
    const document = await documentsOf(region.url, name, tokens[name] ?? '').get('a')
    expect([name, document.status]).toEqual([name, 409])
  }
})

test('strangers are not told why a room is damaged', async () => {
  for (const name of names) {
    const document = await documentsOf(region.url, name, 'no token').get('a')
    const told = (await document.json()) as { type: string; detail: string }
    expect({ status: document.status, type: told.type }).toEqual(damaged)
    expect(told.detail).toBe(
      `The project room ${name} is on this region but cannot be read: the log of the region says why. Its folder has to be looked at.`,
    )
  }
})

test('the status names them all', async () => {
  const { damagedRooms } = await region.client.status()
  expect(damagedRooms.map((room) => room.name).sort()).toEqual([...names].sort())
})

test('what a restore left is put back when the status is asked for, once its disk can be read again', async () => {
  const region = await startRegion()
  try {
    const { roomId } = await region.client.createRoom('alpha', creation)
    await region.kill()
    const rooms = join(region.dataDir, 'rooms')
    const swap = `.swap-alpha-${randomUUID()}`
    await mkdir(join(rooms, swap))
    await rename(join(rooms, 'alpha'), join(rooms, swap, 'old'))
    // A rename cannot replace this file, which is in the way; it is removed later.
    await writeFile(join(rooms, 'alpha'), 'a file')
    const next = await region.again()
    await expect(next.client.room('alpha')).rejects.toMatchObject(damaged)
    await rm(join(rooms, 'alpha'))
    expect((await next.client.status()).damagedRooms).toEqual([])
    expect((await next.client.room('alpha'))?.roomId).toBe(roomId)
    await next.kill()
  } finally {
    await region.remove()
  }
})

test('a room that is put back while the region runs is the one that users write to from then on', async () => {
  let region = await startRegion()
  try {
    await region.client.createRoom('alpha', creation)
    const { token } = await region.client.openSession('alpha', 'delegate@example.org')
    await region.kill()
    const room = join(region.dataDir, 'rooms', 'alpha')
    const copy = join(region.dataDir, 'copy')
    await cp(room, copy, { recursive: true })
    region = await region.again()
    expect((await documentsOf(region.url, 'alpha', token).put('before', 'before')).status).toBe(200)
    await rename(room, join(region.dataDir, 'taken away'))
    await rename(copy, room)
    expect((await region.client.status()).damagedRooms).toEqual([])
    expect((await documentsOf(region.url, 'alpha', token).put('after', 'after')).status).toBe(200)
    await region.kill()
    region = await region.again()
    expect(await (await documentsOf(region.url, 'alpha', token).get('after')).json()).toBe('after')
    await region.kill()
  } finally {
    await region.remove()
  }
})

/** Replaces the room's folder by a changed copy while the region runs. @returns a region that the test has to remove */
async function putBack(change: (record: Record<string, unknown>) => unknown): Promise<RegionProcess> {
  let region = await startRegion()
  await region.client.createRoom('alpha', creation)
  await region.kill()
  const room = join(region.dataDir, 'rooms', 'alpha')
  const copy = join(region.dataDir, 'copy')
  await cp(room, copy, { recursive: true })
  const record = JSON.parse(await readFile(join(copy, 'room.json'), 'utf8'))
  await writeFile(join(copy, 'room.json'), JSON.stringify(change(record)))
  region = await region.again()
  await region.client.suspendRoom('alpha', creation.roomId)
  await rename(room, join(region.dataDir, 'taken away'))
  await rename(copy, room)
  return region
}

test.each([
  ['in another state', (record: object) => record, { state: 'active', roomId: creation.roomId }],
  ['of another room', (record: object) => ({ ...record, roomId: roomIdOf('gone') }), { roomId: roomIdOf('gone') }],
])(
  'a folder %s that is put back while the region runs is told as it is, as after the next start',
  async (_, change, told) => {
    let region = await putBack(change)
    try {
      const before = await region.client.room('alpha')
      expect(before).toMatchObject(told)
      await region.kill()
      region = await region.again()
      expect(await region.client.room('alpha')).toEqual(before)
    } finally {
      await region.remove()
    }
  },
)

test('a folder without a readable record that is put back while the region runs is a damaged room at once, until it is mended', async () => {
  const region = await putBack(() => ({ format: 1 }))
  try {
    await expect(region.client.room('alpha')).rejects.toMatchObject(damaged)
    expect(await region.client.status()).toMatchObject({ damagedRooms: [{ name: 'alpha' }] })
    await rm(join(region.dataDir, 'rooms', 'alpha'), { recursive: true })
    await rename(join(region.dataDir, 'taken away'), join(region.dataDir, 'rooms', 'alpha'))
    expect(await region.client.status()).toMatchObject({ damagedRooms: [] })
    expect(await region.client.room('alpha')).toMatchObject({ state: 'suspended', roomId: creation.roomId })
  } finally {
    await region.remove()
  }
})
