import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type FileCallName, watchFiles } from '#disk/files.ts'
import { writeKept } from './kept-record.ts'
import { recoverRooms } from './recover-rooms.ts'
import { createRoomFolders, type RoomFolders } from './room-folders.ts'
import { type RoomRecord, writeRoomRecord } from './room-record.ts'

let folders: RoomFolders
const made: string[] = []
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-recover-'))
  made.push(folder)
  folders = createRoomFolders(folder)
  await mkdir(folders.root)
})
afterAll(async () => {
  for (const folder of made) await rm(folder, { recursive: true, force: true })
})

function recordOf(name: string, creation = 'old'): RoomRecord {
  return {
    format: 1,
    name,
    roomId: crypto.randomUUID(),
    product: 'ARIS',
    edition: 'basic',
    createdAt: new Date().toISOString(),
    creation,
    state: 'active',
    lock: null,
  }
}

async function makeRoom(folder: string, record: RoomRecord): Promise<RoomRecord> {
  await mkdir(folder, { recursive: true })
  await writeRoomRecord(folder, record)
  return record
}

test('rooms are read, temporary files and remains of removed rooms go', async () => {
  const alpha = await makeRoom(folders.room('alpha'), recordOf('alpha'))
  const beta = await makeRoom(folders.room('beta'), recordOf('beta'))
  await makeRoom(folders.sideFolder('new', 'gamma'), recordOf('gamma'))
  await makeRoom(folders.sideFolder('old', 'delta'), recordOf('delta'))
  await mkdir(folders.sideFolder('new', 'epsilon'))
  expect((await recoverRooms(folders)).records.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([alpha, beta])
  expect((await readdir(folders.root)).sort()).toEqual(['alpha', 'beta'])
})

// shows: stored-restore-swap
test('a restore that was cut off before, between and after its two renames leaves one whole room', async () => {
  const cases = ['before', 'between', 'after'] as const
  for (const [index, moment] of cases.entries()) {
    const name = `room${index}`
    const folder = folders.room(name)
    const swap = folders.sideFolder('swap', name)
    await makeRoom(folder, recordOf(name, 'old'))
    await makeRoom(join(swap, 'new'), recordOf(name, 'new'))
    if (moment !== 'before') await rename(folder, join(swap, 'old'))
    if (moment === 'after') await rename(join(swap, 'new'), folder)
  }
  const found = (await recoverRooms(folders)).records.sort((a, b) => (a.name < b.name ? -1 : 1))
  expect(found.map(({ name, creation }) => [name, creation])).toEqual([
    ['room0', 'old'],
    ['room1', 'old'],
    ['room2', 'new'],
  ])
  expect((await readdir(folders.root)).sort()).toEqual(['room0', 'room1', 'room2'])
})

test('what a room held before is kept, also after a death before its folder had its name, until the room is gone', async () => {
  const kept = async (kind: 'swap' | 'kept', name: string, roomId: string) => {
    const folder = folders.sideFolder(kind, name)
    await makeRoom(join(folder, 'old'), recordOf(name, 'old'))
    await writeKept(folder, { id: `kept-${name}`, room: name, roomId, keptAt: new Date().toISOString() })
    return folder
  }
  const alpha = await makeRoom(folders.room('alpha'), recordOf('alpha', 'new'))
  const beta = await makeRoom(folders.room('beta'), recordOf('beta', 'new'))
  const ofAlpha = await kept('kept', 'alpha', alpha.roomId)
  await kept('swap', 'beta', beta.roomId)
  await kept('kept', 'alpha', crypto.randomUUID())
  await kept('kept', 'gamma', crypto.randomUUID())
  await mkdir(folders.sideFolder('kept', 'alpha'))
  for (const _start of [1, 2]) {
    const found = new Map()
    const { records, damaged } = await recoverRooms(folders, found, () => true)
    expect([records.length, damaged.size]).toEqual([2, 0])
    expect([...found.values()].map(({ id }) => id).sort()).toEqual(['kept-alpha', 'kept-beta'])
    expect(found.get(ofAlpha)?.id).toBe('kept-alpha')
    expect((await readdir(folders.root)).sort()).toEqual(
      [...[...found.keys()].map((path) => basename(path)), 'alpha', 'beta'].sort(),
    )
  }
})

test('a swap that was to be kept and was cut off between its renames is put back, and keeps nothing', async () => {
  const alpha = recordOf('alpha', 'old')
  const swap = folders.sideFolder('swap', 'alpha')
  await makeRoom(join(swap, 'old'), alpha)
  await makeRoom(join(swap, 'new'), recordOf('alpha', 'new'))
  await writeKept(swap, { id: 'kept', room: 'alpha', roomId: alpha.roomId, keptAt: new Date().toISOString() })
  const found = new Map()
  expect((await recoverRooms(folders, found)).records.map(({ creation }) => creation)).toEqual(['old'])
  expect([found.size, await readdir(folders.root)]).toEqual([0, ['alpha']])
})

test('rooms that cannot be read are set aside with the reason, and the others are there', async () => {
  const beta = await makeRoom(folders.room('beta'), recordOf('beta'))
  await makeRoom(folders.room('delta'), recordOf('gamma'))
  await mkdir(folders.room('alpha'))
  await writeFile(join(folders.room('alpha'), 'room.json'), '{')
  const { records, damaged } = await recoverRooms(folders)
  expect(records).toEqual([beta])
  expect([...damaged.keys()].sort()).toEqual(['alpha', 'delta'])
  expect(damaged.get('alpha')).toContain('room.json')
  expect(damaged.get('delta')).toContain('gamma')
})

test('what is left of a restore, cut off while it was cleared, does not keep the region down', async () => {
  const alpha = await makeRoom(folders.room('alpha'), recordOf('alpha'))
  const swap = folders.sideFolder('swap', 'alpha')
  await mkdir(join(swap, 'old', 'databases'), { recursive: true })
  expect(await recoverRooms(folders)).toEqual({ records: [alpha], damaged: new Map(), remainingSwaps: new Map() })
  expect(await readdir(folders.root)).toEqual(['alpha'])
})

test('a restore whose former content is nowhere is kept for people to check, and its room is damaged', async () => {
  const swap = folders.sideFolder('swap', 'alpha')
  await makeRoom(join(swap, 'new'), recordOf('alpha'))
  const { records, damaged } = await recoverRooms(folders)
  expect([records, [...damaged.keys()]]).toEqual([[], ['alpha']])
  expect(await readdir(join(swap, 'new'))).toEqual(['room.json'])
})

test('what others keep in the folder stays', async () => {
  const foreign = ['.snapshot', '.swap-notes', 'lost+found', 'Thumbs.db', '.old-files']
  for (const name of foreign) await mkdir(join(folders.root, name))
  expect((await recoverRooms(folders)).damaged.size).toBe(0)
  expect((await readdir(folders.root)).sort()).toEqual(foreign.sort())
})

const failing = (call: FileCallName, path: string) =>
  watchFiles({
    before(next) {
      if (next.call === call && next.path === path) throw Object.assign(new Error('i/o error'), { code: 'EIO' })
    },
    after: () => undefined,
  })

test('what a restore left and could not be looked at is not forgotten: it could come back over what is newer', async () => {
  await makeRoom(folders.room('alpha'), recordOf('alpha', 'new'))
  const swap = folders.sideFolder('swap', 'alpha')
  await makeRoom(join(swap, 'old'), recordOf('alpha', 'old'))
  failing('stat', folders.room('alpha'))
  const { records, remainingSwaps } = await recoverRooms(folders).finally(() => watchFiles(null))
  expect(records.map(({ creation }) => creation)).toEqual(['new'])
  expect([...remainingSwaps]).toEqual([[swap, 'alpha']])
})
