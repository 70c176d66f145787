import { existsSync, readdirSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as letOthersRun } from 'node:timers/promises'
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

// shows: data-durable
test('acknowledged documents, and the sessions of users, outlive a kill', async () => {
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

test('the fence of a creation that was refused because of its product is known after a restart', async () => {
  const region = await start({ REGION_PRODUCTS: 'ARIS' })
  const mark = (fence: number) => ({ key: 'operation:1', operation: 'operation', fence })
  const refused = region.client.createRoom('beta', newCreation({ product: 'MINING' }), mark(7))
  await expect(refused).rejects.toMatchObject({ type: 'urn:roomkeeper-region:product-not-served' })
  await region.kill()

  const next = await restart(region)
  await expect(next.client.createRoom('gamma', newCreation(), mark(6))).rejects.toMatchObject({
    type: 'urn:roomkeeper-region:overtaken',
  })
  expect(await next.client.room('gamma')).toBeNull()
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
