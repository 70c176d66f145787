import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type JobRequest, RegionJobFailed } from '@roomkeeper/region-protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillSystemDatabase } from '#rooms/system-database.ts'
import { createDatabase } from '#sqlite/database-handles.ts'
import { documentsOf } from './documents.ts'
import { filesThatHold } from './files-that-hold.ts'
import { newCreation, type RegionProcess, startRegion, systemPassword } from './region-process.ts'

let region: RegionProcess
let other: RegionProcess
beforeAll(async () => {
  ;[region, other] = await Promise.all([startRegion(), startRegion()])
})
afterAll(async () => {
  await region.remove()
  await other.remove()
})

let count = 0
async function newRoom(at = region, change = {}) {
  count += 1
  const name = `room${count}`
  const creation = newCreation(change)
  await at.client.createRoom(name, creation)
  const { token } = await at.client.openSession(name, 'owner@example.org')
  const documents = documentsOf(at.url, name, token)
  return { name, roomId: creation.roomId, documents, creation }
}
const run = <Input extends JobRequest>(input: Input, at = region) => at.client.runJob(crypto.randomUUID(), input)
const digestOf = async (room: string, at = region) => (await run({ type: 'digestRoom', room }, at)).digest

async function copyFile(file: string, from: RegionProcess, to: RegionProcess): Promise<void> {
  const { size, sha256 } = await from.client.getFile(file)
  const open = async function* (first: number) {
    const content = await (await from.client.getFile(file)).content.toArray()
    yield Buffer.concat(content).subarray(first)
  }
  await to.client.putFile(file, { size, sha256, open })
}

// shows: region-job-digest
test('a room moved to another region has the same digest there, and one document more another', async () => {
  const source = await newRoom()
  for (let index = 0; index < 50; index += 1)
    await source.documents.put(`d${index}`, { index, text: 'ä'.repeat(index) })
  const { file } = await run({ type: 'backupRoom', room: source.name })
  await copyFile(file, region, other)
  const { name, roomId } = await newRoom(other, { roomId: source.roomId })
  expect(await digestOf(name, other)).not.toBe(await digestOf(source.name))
  await run({ type: 'restoreRoom', room: name, roomId, file }, other)
  expect(await digestOf(name, other)).toBe(await digestOf(source.name))

  const { token } = await other.client.openSession(name, 'delegate@example.org')
  const moved = documentsOf(other.url, name, token)
  expect(await (await moved.get('d49')).json()).toEqual({ index: 49, text: 'ä'.repeat(49) })
  await moved.put('one more', true)
  expect(await digestOf(name, other)).not.toBe(await digestOf(source.name))
})

test('the call that starts a job waits for its end, and tells whether it has started it', async () => {
  const { name: room } = await newRoom()
  const [id, input] = [crypto.randomUUID(), { type: 'digestRoom' as const, room }]
  const first = await region.client.startJobAndWait(id, input, undefined, 10_000)
  expect(first).toMatchObject({ state: 'done', isNew: true })
  const again = await region.client.startJobAndWait(id, input, undefined, 10_000)
  expect(again).toMatchObject({ state: 'done', isNew: false, result: first.result })
})

// shows: stored-snapshot
test('a backup taken while users write is one moment of the room', async () => {
  const { name, roomId, documents } = await newRoom()
  await run({ type: 'backupDatabase', room: name, database: 'main', password: 'p' }).then(({ file }) =>
    run({ type: 'importDatabase', room: name, roomId, database: 'second', file, password: 'p' }),
  )
  const { token } = await region.client.openSession(name, 'owner@example.org')
  const second = documentsOf(region.url, name, token, 'second')
  await documents.put('filler', 'x'.repeat(900_000))
  // Every backup has both counters, also one that begins before the writer's first answers.
  for (const each of [documents, second]) expect((await each.put('counter', 0)).ok).toBe(true)
  let writing = true
  let written = 0
  const writer = (async () => {
    // Write to the first database first, so that the second is never ahead of it.
    for (; writing; written += 1) {
      for (const each of [documents, second]) expect((await each.put('counter', written)).ok).toBe(true)
    }
  })()
  const files: string[] = []
  for (let round = 0; round < 5; round += 1) files.push((await run({ type: 'backupRoom', room: name })).file)
  writing = false
  await writer
  expect(written).toBeGreaterThan(10)

  for (const file of files) {
    const copy = await newRoom()
    await run({ type: 'restoreRoom', room: copy.name, roomId: copy.roomId, file })
    const { token: reader } = await region.client.openSession(copy.name, 'owner@example.org')
    const read = async (database: string) =>
      Number(await (await documentsOf(region.url, copy.name, reader, database).get('counter')).text())
    const [first, then] = [await read('main'), await read('second')]
    expect([first, first - 1]).toContain(then)
  }
})

test('a backup stays one moment of the room when users write more than SQLite keeps in its log', async () => {
  const { name, documents } = await newRoom()
  for (let index = 0; index < 60; index += 1) await documents.put(`old${index}`, 'a'.repeat(900_000))
  const before = await digestOf(name)
  const id = crypto.randomUUID()
  await region.client.startJob(id, { type: 'backupRoom', room: name })
  // Replace all documents, so that SQLite writes the WAL back into the file as soon as it may.
  for (let index = 0; index < 60; index += 1) await documents.put(`old${index}`, 'b'.repeat(900_000))
  const { file } = await region.client.runJob(id, { type: 'backupRoom', room: name })
  const copy = await newRoom()
  await run({ type: 'restoreRoom', room: copy.name, roomId: copy.roomId, file })
  const { token } = await region.client.openSession(copy.name, 'owner@example.org')
  const restored = documentsOf(region.url, copy.name, token)
  const letters: string[] = []
  for (let index = 0; index < 60; index += 1)
    letters.push(String(await (await restored.get(`old${index}`)).json()).charAt(0))
  // The copy has everything that had been written when the backup began, and nothing later.
  expect(letters.join('')).toMatch(/^b*a*$/)
  expect(await digestOf(name)).not.toBe(before)
})

test('a restore ends the sessions, keeps state, lock and roomId, and takes the users of the backup', async () => {
  const backedUp = newCreation({ contacts: { ...newCreation().contacts, ownerEmail: 'source@example.org' } })
  await region.client.createRoom('backedup', backedUp)
  const { token } = await region.client.openSession('backedup', 'source@example.org')
  const { file } = await run({ type: 'backupRoom', room: 'backedup' })
  const { name, roomId } = await newRoom()
  await region.client.suspendRoom(name, roomId)
  await region.client.lockRoom(name, { roomId, holder: 'me' })
  await run({ type: 'restoreRoom', room: name, roomId, file, holder: 'me' })
  const room = await region.client.room(name)
  expect([room?.roomId, room?.state, room?.lock?.holder]).toEqual([roomId, 'suspended', 'me'])
  await region.client.resumeRoom(name, roomId)
  expect(await region.client.sessions(name)).toEqual([])
  expect((await documentsOf(region.url, name, token).get('a')).status).toBe(401)
  expect((await region.client.openSession(name, 'source@example.org')).user).toBe('source@example.org')
  await expect(region.client.openSession(name, 'owner@example.org')).rejects.toMatchObject({ status: 404 })
})

// shows: stored-product-backup
test('of a product backup all databases join or none, and only into a room of its product', async () => {
  const source = await newRoom()
  await source.documents.put('a', 'from the source')
  const export_ = await run({ type: 'backupDatabase', room: source.name, database: 'main', password: 'p' })
  const own = { room: source.name, roomId: source.roomId }
  await run({ type: 'importDatabase', ...own, database: 'second', file: export_.file, password: 'p' })
  const { file } = await run({ type: 'backupRoom', room: source.name, kind: 'product' })
  const into = (room: { name: string; roomId: string }) =>
    run({ type: 'restoreRoom', room: room.name, roomId: room.roomId, file })

  const full = await newRoom()
  await full.documents.put('a', 'my own')
  const before = await digestOf(full.name)
  await expect(into(full)).rejects.toMatchObject({
    status: 409,
    isTransient: false,
    message: 'A database named main already exists.',
  })
  expect(await digestOf(full.name)).toBe(before)
  expect((await region.client.room(full.name))?.databases).toEqual(['main'])

  const mining = await newRoom(region, { product: 'MINING', edition: 'basic', licences: [] })
  await expect(into(mining)).rejects.toMatchObject({ type: 'urn:roomkeeper-region:product-differs' })

  const empty = await newRoom()
  const { contacts } = empty.creation
  await region.client.changeRoom(empty.name, {
    roomId: empty.roomId,
    contacts: { ...contacts, companyName: 'Its own company' },
  })
  expect(await into(empty)).toEqual({ databases: ['main', 'second'] })
  const after = await digestOf(empty.name)
  expect(await into(empty)).toEqual({ databases: ['main', 'second'] })
  expect(await digestOf(empty.name)).toBe(after)
  // The room keeps its own users, licences and contacts.
  expect(after).not.toBe(await digestOf(source.name))
})

test('a job that waits behind another is cancelled at once', async () => {
  const { name, roomId, documents } = await newRoom()
  for (let index = 0; index < 10; index += 1) await documents.put(`big${index}`, crypto.randomUUID().repeat(20_000))
  const ids = Array.from({ length: 6 }, () => crypto.randomUUID())
  for (const id of ids) await region.client.startJob(id, { type: 'backupRoom', room: name })
  const deletion = crypto.randomUUID()
  await region.client.startJob(deletion, { type: 'deleteRoom', room: name, roomId })
  const cancelled = await region.client.cancelJob(deletion)
  expect([cancelled.state, cancelled.error?.type]).toEqual(['failed', 'urn:roomkeeper-region:cancelled'])
  expect((await region.client.job(ids.at(-1) ?? '')).state).toBe('queued')
  for (const id of ids) await region.client.cancelJob(id)
  expect((await region.client.room(name))?.roomId).toBe(roomId)
})

test('a cancelled backup leaves no file', async () => {
  const { name, documents } = await newRoom()
  for (let index = 0; index < 20; index += 1) await documents.put(`big${index}`, crypto.randomUUID().repeat(20_000))
  const id = crypto.randomUUID()
  await region.client.startJob(id, { type: 'backupRoom', room: name })
  expect((await region.client.cancelJob(id)).state).toBe('failed')
  const failed = await region.client.runJob(id, { type: 'backupRoom', room: name }).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(RegionJobFailed)
  expect((failed as RegionJobFailed).isTransient).toBe(false)
  await expect(region.client.getFile(id)).rejects.toMatchObject({ status: 404 })
})

test('passwords are kept nowhere on the region', async () => {
  const { name, roomId } = await newRoom()
  const password = `never-${crypto.randomUUID()}`
  const own = { room: name, roomId, password }
  const { file } = await run({ type: 'backupDatabase', room: name, database: 'main', password })
  await run({ type: 'restoreDatabase', ...own, database: 'main', file })
  await run({ type: 'importDatabase', ...own, database: 'copy', file })
  const wrong = `never-${crypto.randomUUID()}`
  await expect(
    run({ type: 'importDatabase', ...own, database: 'other', file, password: wrong }),
  ).rejects.toBeInstanceOf(RegionJobFailed)
  // This search finds the records of these jobs, so it would find a secret in them too.
  expect(await filesThatHold(region, 'restoreDatabase')).not.toEqual([])
  for (const secret of [password, wrong]) {
    expect(await filesThatHold(region, secret)).toEqual([])
    expect(region.output()).not.toContain(secret)
  }
})

// shows: region-job-system-db
test('a system database of an older version is brought to the newest once', async () => {
  const first = await startRegion()
  const creation = newCreation()
  await first.client.createRoom('alpha', creation)
  const newest = (await first.client.room('alpha'))?.schemaVersion
  await first.kill()
  const path = join(first.dataDir, 'rooms/alpha/system.db')
  await rm(path)
  const { licences, subLicences, subMiningType, expirationDate, contacts } = creation
  createDatabase(path, (database) =>
    fillSystemDatabase(database, { licences, subLicences, subMiningType, expirationDate, contacts }, 1),
  )
  const region = await first.again()
  try {
    expect((await region.client.room('alpha'))?.schemaVersion).toBe(1)
    const update = { type: 'updateSystemDatabase' as const, room: 'alpha', roomId: creation.roomId }
    await expect(run({ ...update, systemPassword: 'wrong' }, region)).rejects.toMatchObject({ status: 403 })
    expect(await run({ ...update, systemPassword }, region)).toEqual({ from: 1, to: newest })
    expect(await run({ ...update, systemPassword }, region)).toEqual({ from: newest, to: newest })
    expect((await region.client.room('alpha'))?.schemaVersion).toBe(newest)
    const database = new DatabaseSync(path, { readOnly: true })
    expect(database.prepare("SELECT name FROM sqlite_schema WHERE name = 'sessions_by_token'").get()).toBeTruthy()
    database.close()
  } finally {
    await region.remove()
  }
})
