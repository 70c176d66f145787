import { existsSync, readdirSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as letOthersRun } from 'node:timers/promises'
import { RegionJobFailed } from '@roomkeeper/region-protocol'
import { afterEach, expect, test } from 'vitest'
import { documentsOf } from './documents.ts'
import { eventually, newCreation, type RegionProcess, startRegion } from './region-process.ts'

const regions: RegionProcess[] = []
async function start(env: Record<string, string> = {}): Promise<RegionProcess> {
  const region = await startRegion(env)
  regions.push(region)
  return region
}
async function restart(region: RegionProcess): Promise<RegionProcess> {
  const next = await region.again()
  regions.push(next)
  return next
}
afterEach(async () => {
  for (const region of regions.splice(0)) await region.remove()
})

test('a region killed while it makes 50 rooms has those it acknowledged, and none by half', async () => {
  const region = await start()
  const acknowledged: string[] = []
  const names = Array.from({ length: 50 }, (_, index) => `room${index}`)
  const creator = async () => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      await region.client.createRoom(name, newCreation())
      acknowledged.push(name)
    }
  }
  const creations = Array.from({ length: 8 }, () => creator().catch(() => {}))
  await eventually(() => acknowledged.length >= 10)
  const rooms = join(region.dataDir, 'rooms')
  const aRoomIsHalfMade = () => readdirSync(rooms).some((entry) => !existsSync(join(rooms, entry, 'room.json')))
  while (!aRoomIsHalfMade() && acknowledged.length < 50) await letOthersRun()
  region.child.kill('SIGKILL')
  await Promise.all(creations)
  await region.kill()
  expect(acknowledged.length).toBeLessThan(50)

  const next = await restart(region)
  const { rooms: found } = await next.client.rooms('', 100)
  expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(acknowledged))
  expect((await readdir(join(next.dataDir, 'rooms'))).sort()).toEqual(found.map(({ name }) => name))
  for (const { name, databases } of found) {
    expect(databases).toEqual(['main'])
    expect((await next.client.licences(name)).map(({ used }) => used)).toEqual([0, 2])
    for (const file of ['system.db', 'databases/main.db']) {
      const database = new DatabaseSync(join(next.dataDir, 'rooms', name, file))
      expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
      database.close()
    }
  }
})

test('a region killed while it deletes rooms has each of them whole or not at all', async () => {
  const region = await start()
  const rooms = new Map<string, string>()
  for (let index = 0; index < 20; index += 1) {
    const creation = newCreation()
    rooms.set(`room${index}`, creation.roomId)
    await region.client.createRoom(`room${index}`, creation)
  }
  const done: string[] = []
  const deletions = [...rooms].map(([room, roomId]) =>
    region.client.runJob(`delete-${room}`, { type: 'deleteRoom', room, roomId }).then(
      () => done.push(room),
      () => {},
    ),
  )
  await eventually(() => done.length >= 3)
  await region.kill()
  await Promise.all(deletions)
  expect(done.length).toBeLessThan(20)

  const next = await restart(region)
  const left = (await next.client.rooms()).rooms
  expect(left.filter(({ name }) => done.includes(name))).toEqual([])
  for (const { databases } of left) expect(databases).toEqual(['main'])
  for (const [room, roomId] of rooms) await next.client.runJob(`again-${room}`, { type: 'deleteRoom', room, roomId })
  expect(await readdir(join(next.dataDir, 'rooms'))).toEqual([])
})

// shows: region-job-interrupted
test('a job that the kill cut off is interrupted, is not started again under its id, and may pass under a new one', async () => {
  const region = await start()
  const creation = newCreation()
  await region.client.createRoom('alpha', creation)
  const { token } = await region.client.openSession('alpha', 'owner@example.org')
  const documents = documentsOf(region.url, 'alpha', token)
  for (let index = 0; index < 30; index += 1)
    await documents.put(`big${index}`, { text: crypto.randomUUID().repeat(20_000) })

  const backup = { type: 'backupRoom' as const, room: 'alpha' }
  await region.client.startJob('backup-1', backup)
  await eventually(async () => (await region.client.job('backup-1')).state === 'running')
  await region.kill()

  const next = await restart(region)
  const cutOff = await next.client.job('backup-1')
  expect([cutOff.state, cutOff.error?.type]).toEqual(['interrupted', 'urn:roomkeeper-region:interrupted'])
  const again = await next.client.runJob('backup-1', backup).catch((error: unknown) => error)
  expect(again).toBeInstanceOf(RegionJobFailed)
  expect((again as RegionJobFailed).isTransient).toBe(true)
  expect((await next.client.runJob('backup-2', backup)).size).toBeGreaterThan(1000)
  expect(await readdir(join(next.dataDir, 'work'))).toEqual([])
  await expect(next.client.getFile('backup-1')).rejects.toMatchObject({ status: 404 })
})

// shows: data-durable
test('acknowledged documents outlive a kill', async () => {
  const region = await start()
  await region.client.createRoom('alpha', newCreation())
  const { token } = await region.client.openSession('alpha', 'owner@example.org')
  const acknowledged: number[] = []
  const write = async () => {
    for (let index = 0; ; index += 1) {
      const answer = await documentsOf(region.url, 'alpha', token).put(`d${index}`, { index })
      if (answer.ok) acknowledged.push(index)
    }
  }
  const writing = write().catch(() => {})
  await eventually(() => acknowledged.length >= 50)
  await region.kill()
  await writing

  const next = await restart(region)
  const documents = documentsOf(next.url, 'alpha', token)
  for (const index of acknowledged) expect(await (await documents.get(`d${index}`)).json()).toEqual({ index })
})

test('an overtaken worker is refused after a restart as well', async () => {
  const region = await start()
  const creation = newCreation()
  await region.client.createRoom('alpha', creation)
  const mark = (fence: number) => ({ key: 'operation:1', operation: 'operation', fence })
  await region.client.suspendRoom('alpha', creation.roomId, mark(7))
  await region.kill()

  const next = await restart(region)
  await expect(next.client.resumeRoom('alpha', creation.roomId, mark(6))).rejects.toMatchObject({
    status: 409,
    type: 'urn:roomkeeper-region:overtaken',
  })
  expect((await next.client.resumeRoom('alpha', creation.roomId, mark(7))).state).toBe('active')
})

test('the fence of a creation is known after a restart, whether it made the room, found it or was refused', async () => {
  const region = await start({ REGION_PRODUCTS: 'ARIS' })
  const creation = newCreation()
  const mark = (operation: string, fence: number) => ({ key: `${operation}:1`, operation, fence })
  await region.client.createRoom('alpha', creation, mark('made', 7))
  await region.client.createRoom('alpha', creation, mark('found', 7))
  const refused = region.client.createRoom('alpha', newCreation(), mark('refused', 7))
  await expect(refused).rejects.toMatchObject({ type: 'urn:roomkeeper-region:room-differs' })
  const other = region.client.createRoom('beta', newCreation({ product: 'MINING' }), mark('not-served', 7))
  await expect(other).rejects.toMatchObject({ type: 'urn:roomkeeper-region:product-not-served' })
  await region.kill()

  const next = await restart(region)
  for (const operation of ['made', 'found', 'refused', 'not-served'])
    await expect(next.client.createRoom('gamma', newCreation(), mark(operation, 6)), operation).rejects.toMatchObject({
      type: 'urn:roomkeeper-region:overtaken',
    })
  expect(await next.client.room('gamma')).toBeNull()
})

test('the fence of a job is known after a restart, whether the job began, was known or was refused', async () => {
  const region = await start()
  await region.client.createRoom('alpha', newCreation())
  const mark = (operation: string, fence: number) => ({ key: `${operation}:1`, operation, fence })
  const input = { type: 'digestRoom', room: 'alpha' } as const
  await region.client.startJob('first', input, mark('began', 7))
  await region.client.startJob('first', input, mark('known', 7))
  const refusals = [
    region.client.startJob('first', { ...input, room: 'beta' }, mark('differs', 7)),
    region.client.startJob('second', { ...input, room: 'beta' }, mark('unknown-room', 7)),
  ]
  for (const refused of refusals) await expect(refused).rejects.toThrow()
  await region.kill()

  const next = await restart(region)
  for (const operation of ['began', 'known', 'differs', 'unknown-room'])
    await expect(next.client.startJob('third', input, mark(operation, 6)), operation).rejects.toMatchObject({
      type: 'urn:roomkeeper-region:overtaken',
    })
  await expect(next.client.job('third')).rejects.toMatchObject({ type: 'urn:roomkeeper-region:job-unknown' })
})

test('state, lock, route and sessions outlive a kill', async () => {
  const region = await start()
  const creation = newCreation()
  const { roomId } = creation
  await region.client.createRoom('alpha', creation)
  const session = await region.client.openSession('alpha', 'owner@example.org')
  const { lock } = await region.client.lockRoom('alpha', { roomId, holder: 'migration' })
  await region.client.putRoute('beta', 'https://elsewhere.example')
  await region.kill()

  const next = await restart(region)
  expect((await next.client.room('alpha'))?.lock).toEqual(lock)
  expect((await next.client.sessions('alpha')).map(({ id }) => id)).toEqual([session.id])
  const visit = await fetch(`${next.url}/beta`, { redirect: 'manual' })
  expect(visit.headers.get('location')).toBe('https://elsewhere.example/beta')
  expect(JSON.parse(await readFile(join(next.dataDir, 'rooms/alpha/room.json'), 'utf8'))).toMatchObject({ roomId })
})

// shows: region-lock-ends
test('a lock that was not renewed in time has ended, also while the region was away', async () => {
  const region = await start()
  const creation = newCreation()
  const { roomId } = creation
  await region.client.createRoom('alpha', creation)
  const { lock } = await region.client.lockRoom('alpha', { roomId, holder: 'one' })
  await region.kill()
  const path = join(region.dataDir, 'rooms/alpha/room.json')
  const record = JSON.parse(await readFile(path, 'utf8')) as { lock: { expiresAt: string } }
  record.lock.expiresAt = new Date(Date.now() - 1000).toISOString()
  await writeFile(path, JSON.stringify(record))

  const next = await restart(region)
  expect((await next.client.room('alpha'))?.locked).toBe(false)
  const again = await next.client.lockRoom('alpha', { roomId, holder: 'one' })
  expect(Date.parse(again.lock?.heldSince ?? '')).toBeGreaterThan(Date.parse(lock?.heldSince ?? ''))
  await next.client.unlockRoom('alpha', { roomId, holder: 'one' })
  expect((await next.client.lockRoom('alpha', { roomId, holder: 'two' })).lock?.holder).toBe('two')
})

test('a lock that was taken before the clock was set back by a year ends as well', async () => {
  const region = await start()
  const creation = newCreation()
  const { roomId } = creation
  await region.client.createRoom('alpha', creation)
  await region.client.lockRoom('alpha', { roomId, holder: 'one' })
  await region.kill()
  const path = join(region.dataDir, 'rooms/alpha/room.json')
  const record = JSON.parse(await readFile(path, 'utf8')) as { lock: { heldSince: string; expiresAt: string } }
  const inAYear = (time: string) => new Date(Date.parse(time) + 365 * 86_400_000).toISOString()
  const { lock } = record
  record.lock = { ...lock, heldSince: inAYear(lock.heldSince), expiresAt: inAYear(lock.expiresAt) }
  await writeFile(path, JSON.stringify(record))

  const next = await restart(region)
  expect((await next.client.room('alpha'))?.locked).toBe(false)
  expect((await next.client.lockRoom('alpha', { roomId, holder: 'two' })).lock?.holder).toBe('two')
})

// shows: stored-restore-swap
test('a region killed in the middle of restores has the old content or the new, never a part', async () => {
  const region = await start()
  const { client } = region
  const source = newCreation()
  const target = newCreation()
  await client.createRoom('source', source)
  await client.createRoom('target', target)
  const { token } = await client.openSession('source', 'owner@example.org')
  for (let index = 0; index < 10; index += 1)
    await documentsOf(region.url, 'source', token).put(`d${index}`, { text: crypto.randomUUID().repeat(10_000) })
  const digestOf = async (of: RegionProcess, room: string) =>
    (await of.client.runJob(crypto.randomUUID(), { type: 'digestRoom', room })).digest
  const { file } = await client.runJob('backup', { type: 'backupRoom', room: 'source' })
  const { file: empty } = await client.runJob('empty', { type: 'backupRoom', room: 'target' })
  const possible = [await digestOf(region, 'source'), await digestOf(region, 'target')]

  let current = region
  const seen: (string | undefined)[] = []
  for (let round = 0; round < 8; round += 1) {
    const restore = { type: 'restoreRoom' as const, room: 'target', roomId: target.roomId }
    const id = `restore-${round}`
    await current.client.startJob(id, { ...restore, file: round % 2 === 0 ? file : empty })
    // Each round kills the region at a later moment of the restore, which takes about 0.1 s.
    const moment = performance.now() + round * 15
    await eventually(() => performance.now() >= moment)
    await current.kill()
    current = await restart(current)
    const digest = await digestOf(current, 'target')
    expect(possible).toContain(digest)
    seen.push((await current.client.job(id)).state)
    expect((await readdir(join(current.dataDir, 'rooms'))).sort()).toEqual(['source', 'target'])
  }
  expect(seen).toContain('interrupted')
})
