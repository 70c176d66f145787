/** The jobs replaceRoom and putBackRoom: what a restore replaced is kept, and put back by a rename. */
import { once } from 'node:events'
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { JobRequest } from '@roomkeeper/region-protocol'
import { afterEach, expect, test } from 'vitest'
import { restoreFrom } from '#archives/restore-room.ts'
import { watchFiles } from '#disk/files.ts'
import { closeRegion, openRegion } from '#open-region.ts'
import type { Region } from '#region.ts'
import { removeOldKept } from '#rooms/kept-content.ts'
import { putBackRoom } from '#rooms/put-back-room.ts'
import { abandonSwaps } from '#rooms/swaps.ts'
import { readSettings } from '#settings.ts'
import { documentsOf } from './documents.ts'
import { setFaults } from './injected-faults.ts'
import { newCreation, type RegionProcess, startRegion, systemPassword } from './region-process.ts'

const regions: RegionProcess[] = []
afterEach(async () => {
  for (const region of regions.splice(0)) await region.remove()
})

const room = 'alpha'
const run = <Input extends JobRequest>(region: RegionProcess, input: Input) =>
  region.client.runJob(crypto.randomUUID(), input)
const digestOf = async (region: RegionProcess) => (await run(region, { type: 'digestRoom', room })).digest
const keptIn = ({ dataDir }: RegionProcess) =>
  readdirSync(join(dataDir, 'rooms')).filter((name) => name.startsWith('.') && !name.startsWith('.new-'))

/** The product backup of another room, with a database that the room has not. */
async function productBackup(region: RegionProcess): Promise<string> {
  const password = 'p'
  const { file } = await run(region, { type: 'backupDatabase', room, database: 'main', password })
  const { roomId } = await region.client.createRoom('beta', newCreation())
  const beta = { room: 'beta', roomId }
  await run(region, { type: 'importDatabase', ...beta, database: 'second', file, password })
  await run(region, { type: 'deleteDatabase', ...beta, database: 'main' })
  return (await run(region, { type: 'backupRoom', room: 'beta', kind: 'product' })).file
}

const openedHere = ({ dataDir }: RegionProcess) =>
  openRegion(
    readSettings({
      ...{ REGION_PORT: '0', REGION_DATA_DIR: dataDir, REGION_USER: 'superuser' },
      ...{ REGION_PASSWORD: 'p', REGION_SYSTEM_PASSWORD: systemPassword },
    }),
  )

const ignoring = { log: () => undefined, progress: () => undefined, recordEffect: async () => undefined }

/** Opened in this process, while the first call for a path with this part fails. */
async function openedWithout(region: RegionProcess, part: string): Promise<Region> {
  let hasFailed = false
  watchFiles({
    before({ path }) {
      if (hasFailed || !path.includes(part)) return
      hasFailed = true
      throw Object.assign(new Error('i/o error'), { code: 'EIO' })
    },
    after: () => undefined,
  })
  return openedHere(region).finally(() => watchFiles(null))
}

/** A room with a document, and the backup of another state of it. */
async function prepared() {
  const region = await startRegion()
  regions.push(region)
  const { roomId } = await region.client.createRoom(room, newCreation())
  const documents = async (at = region, database = 'main') => {
    const { token } = await at.client.openSession(room, 'owner@example.org')
    return documentsOf(at.url, room, token, database)
  }
  await (await documents()).put('a', 'in the backup')
  const { file } = await run(region, { type: 'backupRoom', room })
  await (await documents()).put('a', 'what the room held')
  const own = { room, roomId }
  const replace = { type: 'replaceRoom' as const, ...own, keep: 'kept', from: { file } }
  return { region, own, file, replace, documents, putBack: { type: 'putBackRoom' as const, ...own, kept: 'kept' } }
}

test('what the room held is kept over a restart and put back exactly; state and lock are those of now', async () => {
  const { region, replace, putBack, own } = await prepared()
  const before = await digestOf(region)
  expect(await run(region, replace)).toEqual({ databases: ['main'] })
  expect(await digestOf(region)).not.toBe(before)
  await region.client.suspendRoom(room, own.roomId)
  await region.client.lockRoom(room, { roomId: own.roomId, holder: 'me' })
  await region.kill()
  const next = await region.again()
  regions.push(next)

  await expect(run(next, putBack)).rejects.toMatchObject({ type: 'urn:roomkeeper-region:room-locked' })
  expect(await run(next, { ...putBack, holder: 'me' })).toEqual({ replaced: true })
  expect(await digestOf(next)).toBe(before)
  expect(await next.client.room(room)).toMatchObject({ state: 'suspended', lock: { holder: 'me' } })
  expect(keptIn(next)).toEqual([])
})

test('what is written into the room afterwards does not change what is kept, also after a product backup', async () => {
  const { region, own, replace, putBack, documents, file } = await prepared()
  const before = await digestOf(region)
  await run(region, replace)
  await (await documents()).put('a', 'written since')
  await run(region, putBack)
  expect(await digestOf(region)).toBe(before)

  const product = await productBackup(region)
  expect(product).not.toBe(file)
  const joined = { ...replace, keep: 'joined', from: { file: product } }
  expect(await run(region, joined)).toEqual({ databases: ['main', 'second'] })
  await (await documents()).put('a', 'written since')
  await region.client.changeRoom(room, { roomId: own.roomId, expirationDate: '2099-12-31' })
  await run(region, { ...putBack, kept: 'joined' })
  expect(await digestOf(region)).toBe(before)
})

test('a job that is cancelled while it copies what a product backup is added to copies no further file', async () => {
  const { region, replace } = await prepared()
  const product = await productBackup(region)
  await region.kill()
  const opened = await openedHere(region)
  const cancel = new AbortController()
  const copied: string[] = []
  watchFiles({
    before: () => undefined,
    after({ call, path }) {
      if (call !== 'copy') return
      copied.push(basename(path))
      cancel.abort()
    },
  })
  const job = { ...ignoring, id: 'job', region: opened, input: replace, signal: cancel.signal }
  const restored = restoreFrom(job, join(region.dataDir, 'files', product, 'content'))
  await expect(restored.finally(() => watchFiles(null))).rejects.toThrow()
  expect(copied).toEqual(['system.db'])
  expect(keptIn(region)).toEqual([])
  closeRegion(opened)
})

test('a session that a replacement has ended stays ended when the former content is put back', async () => {
  const { region, replace, putBack } = await prepared()
  const before = await digestOf(region)
  const { token } = await region.client.openSession(room, 'owner@example.org')
  const { get } = documentsOf(region.url, room, token, 'main')
  expect((await get('a')).status).toBe(200)
  await run(region, replace)
  expect((await get('a')).status).toBe(401)

  await setFaults(region, [{ file: 'rename', path: '/old', action: 'exit-before' }])
  const exit = once(region.child, 'exit')
  await region.client.startJob('cut-off', putBack)
  await exit
  const next = await region.again()
  regions.push(next)
  expect(await run(next, putBack)).toEqual({ replaced: true })
  expect((await documentsOf(next.url, room, token, 'main').get('a')).status).toBe(401)
  expect(await next.client.sessions(room)).toEqual([])
  expect(await digestOf(next)).toBe(before)
})

test.each([
  ['kept.json cannot be read', 'kept', 'kept.json'],
  ['its swap has no kept.json that can be read', 'swap', 'kept.json'],
  ['its swap cannot be renamed', 'swap', '/.kept-'],
])(
  'what was kept is put back, and kept when the room is restored again, though at a start %s, once',
  async (_, kind, path) => {
    const { region, replace, putBack } = await prepared()
    const before = await digestOf(region)
    await run(region, replace)
    await region.kill()
    const rooms = join(region.dataDir, 'rooms')
    const kept = keptIn(region)[0] ?? ''
    renameSync(join(rooms, kept), join(rooms, kept.replace('.kept-', `.${kind}-`)))
    const opened = await openedWithout(region, path)
    expect([opened.kept.size, opened.remainingSwaps.size]).toEqual([0, kind === 'swap' ? 1 : 0])
    await abandonSwaps(opened, room)
    expect(keptIn(region)).toEqual([expect.stringMatching(/^\.kept-/)])
    closeRegion(opened)

    renameSync(join(rooms, keptIn(region)[0] ?? ''), join(rooms, kept.replace('.kept-', `.${kind}-`)))
    const again = await openedWithout(region, path)
    const job = { id: 'job', region: again, input: putBack, signal: new AbortController().signal }
    expect(await putBackRoom.run({ ...job, ...ignoring })).toEqual({ replaced: true })
    closeRegion(again)
    const next = await region.again()
    regions.push(next)
    expect(await digestOf(next)).toBe(before)
  },
)

test('a replacement that is done twice under one id keeps what the room held at first', async () => {
  const { region, replace, putBack } = await prepared()
  const before = await digestOf(region)
  await run(region, replace)
  await run(region, replace)
  expect(keptIn(region)).toHaveLength(1)
  expect(await run(region, putBack)).toEqual({ replaced: true })
  expect(await digestOf(region)).toBe(before)
})

test('to put back what was not replaced, or is put back already, changes nothing; what is gone is told', async () => {
  const { region, replace, putBack, documents } = await prepared()
  expect(await run(region, putBack)).toEqual({ replaced: false })
  await expect(run(region, { ...replace, from: { file: 'none' } })).rejects.toMatchObject({ status: 404 })
  expect(await run(region, putBack)).toEqual({ replaced: false })
  await run(region, replace)
  await run(region, putBack)
  await (await documents()).put('a', 'written since')
  expect(await run(region, putBack)).toEqual({ replaced: true })
  expect(await (await (await documents()).get('a')).json()).toBe('written since')

  await run(region, { ...replace, keep: 'other' })
  await region.kill()
  const [folder] = keptIn(region)
  writeFileSync(join(region.dataDir, 'rooms', folder ?? '', 'kept.json'), '{}')
  const next = await region.again()
  regions.push(next)
  await expect(run(next, { ...putBack, kept: 'other' })).rejects.toMatchObject({
    status: 404,
    type: 'urn:roomkeeper-region:content-gone',
  })
})

test('what is kept of a room is gone with the room, and is never put into another of its name', async () => {
  const { region, own, replace, putBack } = await prepared()
  await run(region, replace)
  const wrong = { ...putBack, roomId: crypto.randomUUID() }
  await expect(run(region, wrong)).rejects.toMatchObject({ type: 'urn:roomkeeper-region:room-differs' })
  await run(region, { type: 'deleteRoom', ...own })
  expect(keptIn(region)).toEqual([])
  const { roomId } = await region.client.createRoom(room, newCreation())
  expect(await run(region, { ...putBack, roomId })).toEqual({ replaced: false })
})

test('a region that dies before what is kept has its name finds it; the job is done', async () => {
  const { region, replace, putBack } = await prepared()
  const before = await digestOf(region)
  await setFaults(region, [{ file: 'rename', path: '.kept-', action: 'exit-before' }])
  const exit = once(region.child, 'exit')
  await region.client.startJob('job', replace)
  await exit
  const next = await region.again()
  regions.push(next)
  expect(await next.client.job('job')).toMatchObject({ state: 'done', result: { databases: ['main'] } })
  expect(await run(next, putBack)).toEqual({ replaced: true })
  expect(await digestOf(next)).toBe(before)
})

test('what is kept of a room whose folder is missing at a start is there when the folder is', async () => {
  const { region, replace, putBack } = await prepared()
  const before = await digestOf(region)
  await run(region, replace)
  await region.kill()
  const [folder, elsewhere] = [join(region.dataDir, 'rooms', room), join(region.dataDir, 'elsewhere')]
  renameSync(folder, elsewhere)
  const opened = await openedHere(region)
  await removeOldKept(opened)
  closeRegion(opened)
  renameSync(elsewhere, folder)
  const next = await region.again()
  regions.push(next)
  await run(next, putBack)
  expect(await digestOf(next)).toBe(before)
})

test('what is kept of a deleted room and could not be removed with it is removed by the next start and by housekeeping', async () => {
  const { region, own, replace } = await prepared()
  await run(region, replace)
  const [kept = ''] = keptIn(region)
  await setFaults(region, [{ file: 'rename', path: '/.old-', nth: 2, action: 'EIO' }])
  await run(region, { type: 'deleteRoom', ...own })
  expect(keptIn(region)).toEqual([kept])
  await region.kill()
  const opened = await openedHere(region)
  expect(keptIn(region)).toEqual([])
  const folder = join(region.dataDir, 'rooms', kept)
  mkdirSync(folder)
  opened.kept.set(folder, { id: 'kept', ...own, keptAt: '2026-01-01T00:00:00.000Z' })
  await removeOldKept(opened, Date.parse('2026-01-01T01:00:00.000Z'))
  expect(keptIn(region)).toEqual([])
  closeRegion(opened)
})

test('housekeeping removes it after 48 hours, and keeps it before', async () => {
  const { region, replace } = await prepared()
  await run(region, replace)
  const [kept] = keptIn(region)
  await region.kill()
  const opened = await openedHere(region)
  const hour = 3_600_000
  await removeOldKept(opened, Date.now() + 47 * hour)
  expect(keptIn(region)).toEqual([kept])
  await removeOldKept(opened, Date.now() + 49 * hour)
  expect(keptIn(region)).toEqual([])
  opened.database.close()
})
