/** Listing, backing up, restoring, importing and deleting the databases of a room; its users. */
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tablesWith } from '../tables-with-text.ts'
import { digestOf, writeDocuments } from './room-life.ts'

let network: Network
let adb: Uint8Array<ArrayBuffer>
const password = 'the password of the export'

beforeAll(async () => {
  network = await bootNetwork()
  const origin = await network.newRoom()
  await writeDocuments(network, origin, { one: { from: 'the export' } })
  const { client } = network.regions[0] as Network['regions'][number]
  const { file } = await client.runJob('export', { type: 'backupDatabase', room: origin, database: 'main', password })
  adb = new Uint8Array(Buffer.concat(await (await client.getFile(file)).content.toArray()))
})
afterAll(() => network?.stop())

describe('a database', () => {
  // shows: C-backupDatabase, C-restoreDatabase
  it('is backed up and put back, and the list says when', async () => {
    const room = await network.newRoom()
    await writeDocuments(network, room, { kept: {} })
    const digest = await digestOf(network, room)
    const body = { projectRoomName: room, databaseName: 'main' }
    expect(await list(room)).toMatchObject([{ databaseName: 'main', backupAt: null }])
    await expect(network.admin.call('restoreDatabase', { body })).rejects.toMatchObject({
      problem: { status: 409, detail: 'There is no backup of the database main.' },
    })
    await network.admin.call('backupDatabase', { body })
    await network.settle()
    expect(await list(room)).toMatchObject([{ databaseName: 'main', backupAt: expect.any(String) }])
    await writeDocuments(network, room, { lost: {} })
    await network.admin.call('restoreDatabase', { body })
    await network.settle()
    expect(await digestOf(network, room)).toBe(digest)
  })

  // shows: C-deleteDatabase
  it('that was deleted is not in the list, and its backup brings it back', async () => {
    const room = await network.newRoom()
    await writeDocuments(network, room, { kept: {} })
    const digest = await digestOf(network, room)
    const body = { projectRoomName: room, databaseName: 'main' }
    await network.admin.call('backupDatabase', { body })
    await network.settle()
    await network.admin.call('deleteDatabase', { body })
    await network.settle()
    expect(await list(room)).toEqual([])
    await expect(network.admin.call('deleteDatabase', { body })).rejects.toMatchObject({ problem: { status: 404 } })
    await network.admin.call('restoreDatabase', { body })
    await network.settle()
    expect(await list(room)).toMatchObject([{ databaseName: 'main' }])
    expect(await digestOf(network, room)).toBe(digest)
  })
})

// shows: wire-idempotency
it('a call that repeats its Idempotency-Key is answered as the first was, also while the region is away', async () => {
  const room = await network.newRoom({ edition: 'advanced', licenses: { YAAD: 1 } })
  await importInto(room, 'kept')
  const { fileName: file } = await network.upload('uploadDatabase', { name: 'a.adb', content: adb })
  const body = { projectRoomName: room, databaseName: 'MAIN' }
  const imported = { dbName: 'main', dbPassword: password, file, roomName: room }
  const headers = { 'idempotency-key': 'repeated' }
  const calls = [
    () => network.admin.call('backupDatabase', { body, headers }),
    () => network.admin.call('deleteDatabase', { body, headers }),
    () => network.admin.call('importDatabase', { body: imported, headers }),
  ]
  const first: string[] = []
  for (const each of calls) {
    first.push((await each()).body.operationId)
    await network.settle()
  }
  expect(await list(room)).toMatchObject([{ databaseName: 'kept' }, { databaseName: 'main' }])
  await network.regions[0]?.stop('SIGKILL')
  const again: string[] = []
  for (const each of calls) again.push((await each()).body.operationId)
  expect(again).toEqual(first)
  const other = network.admin.call('deleteDatabase', { body: { ...body, databaseName: 'kept' }, headers })
  await expect(other).rejects.toMatchObject({ problem: { status: 409 } })
  await network.restartRegion(0)
})

describe('an imported database', () => {
  // shows: C-databases, C-importDatabase, files-basic
  it('joins those of the room; on Basic only one, and none twice', async () => {
    const room = await network.newRoom()
    await importInto(room, ' Sales 2026 ')
    expect(await list(room)).toMatchObject([{ databaseName: 'main' }, { databaseName: 'Sales 2026' }])
    await expect(importInto(room, 'sales 2026')).rejects.toMatchObject({
      problem: {
        status: 409,
        errors: [
          { field: 'dbName', message: 'This database name already exists please type another one in the input field' },
        ],
      },
    })
    await expect(importInto(room, 'another')).rejects.toMatchObject({
      problem: { status: 409, detail: 'On Basic you can only import one database' },
    })
    const advanced = await network.newRoom({ edition: 'advanced', licenses: { YAAD: 1 } })
    await importInto(advanced, 'one')
    await importInto(advanced, 'two')
    expect((await list(advanced)).length).toBe(3)
  })

  // shows: files-database-password
  it('with a wrong password is told apart from a damaged file, and the right one can be tried again', async () => {
    const room = await network.newRoom()
    expect(await reasonOf(await importInto(room, 'locked', { password: 'another one' }))).toMatch(/password/i)
    const damaged = adb.slice()
    damaged[damaged.length - 40] = (damaged[damaged.length - 40] ?? 0) ^ 1
    const reason = await reasonOf(await importInto(room, 'broken', { content: damaged }))
    expect(reason).toMatch(/damaged/i)
    expect(await list(room)).toMatchObject([{ databaseName: 'main' }])
    await importInto(room, 'locked')
    expect(await list(room)).toMatchObject([{ databaseName: 'locked' }, { databaseName: 'main' }])
  })
})

describe('secrets', () => {
  // shows: operations-secrets
  it('are in no table, log line or answer once the operation is over', async () => {
    const room = await network.newRoom()
    const id = await importInto(room, 'secretive')
    const log = (await network.admin.call('operationLog', { query: { processId: id } })).body
    expect(log.state).toBe('done')
    expect(JSON.stringify([log, await list(room)])).not.toContain(password)
    expect(await tablesWith(network.database, room)).not.toEqual([])
    expect(await tablesWith(network.database, password)).toEqual([])
    expect(network.server.output()).not.toContain(password)
    const sealed = await network.database.rows(`select 1 from operations where input ? 'sealed' and state = 'done'`)
    expect(sealed).toEqual([])
  })
})

describe('a room', () => {
  // shows: C-roomLicences, C-deleteUser
  it('shows its licences in use, and loses a user on request, but never its owner', async () => {
    const room = await network.newRoom({ additionalEmail: 'dora@example.com', licenses: { YABD: 3 } })
    const licences = (await network.admin.call('roomLicences', { query: { projectRoom: room } })).body
    expect(licences.find((each) => each.licenseKey === 'YABD')).toMatchObject({ licenseAmount: 3, used: 2 })
    const region = network.regions[0]
    const delegate = await region?.client.openSession(room, 'dora@example.com')
    expect((await network.admin.call('deleteUser', { params: { id: delegate?.userId ?? '' } })).body).toBe(true)
    await expect(region?.client.openSession(room, 'dora@example.com')).rejects.toThrow()
    const owner = await region?.client.openSession(room, 'owner@example.com')
    await expect(network.admin.call('deleteUser', { params: { id: owner?.userId ?? '' } })).rejects.toMatchObject({
      problem: { status: 409 },
    })
  })
})

it('who deleted a user is in the audit trail, also when a region could not be asked', async () => {
  const room = await network.newRoom({ additionalEmail: 'dora@example.com' })
  const delegate = await network.regions[0]?.client.openSession(room, 'dora@example.com')
  const login = { password: 'secret', passwordSystem: 'secret' }
  const away = { regionName: 'away', regionIPorURL: 'http://127.0.0.1:1', ...login }
  const { regionId } = (await network.admin.call('createRegion', { body: away })).body
  const id = delegate?.userId ?? ''
  const remove = () => network.admin.call('deleteUser', { params: { id } })
  const latest = async () =>
    (await network.admin.call('audit', { query: { action: 'user.delete' } })).body.data[0] ?? null
  // The region that has the user decides, and the room has no delegate any more.
  expect((await remove()).body).toBe(true)
  expect(await latest()).toMatchObject({ actor: 'admin@localhost', detail: `${id}; not (yet) deleted on: away` })
  const after = (await network.admin.call('room', { query: { projectRoom: room } })).body
  expect(after).toMatchObject({ additionalEmail: null })
  const { data } = (await network.admin.call('roomHistory', { query: { projectRoom: room } })).body
  expect(data[0]?.changes).toEqual([{ field: 'additionalEmail', from: 'dora@example.com', to: null }])
  // No region that answers has them: the one that does not may.
  await expect(remove()).rejects.toMatchObject({ problem: { status: 503 } })
  expect(await latest()).toMatchObject({ detail: `${id}; not (yet) deleted on: away` })
  await network.admin.call('deleteRegion', { body: { id: regionId } })
  // The answer to an earlier call was lost: the room has no delegate here either once the call is repeated.
  const again = await network.newRoom({ additionalEmail: 'dora@example.com' })
  const { userId = '' } = (await network.regions[0]?.client.openSession(again, 'dora@example.com')) ?? {}
  await network.regions[0]?.client.deleteUser(userId)
  expect((await network.admin.call('deleteUser', { params: { id: userId } })).body).toBe(true)
  const { body } = await network.admin.call('room', { query: { projectRoom: again } })
  expect(body).toMatchObject({ additionalEmail: null })
  // An edit does not bring the delegate back.
  await network.admin.call('editRoom', { body: { ...after, sapNumberLast: 'new', companyName: 'Renamed' } })
  await expect(network.regions[0]?.client.openSession(room, 'dora@example.com')).rejects.toThrow()
})

async function list(projectRoom: string) {
  return (await network.admin.call('databases', { query: { projectRoom } })).body
}

/** Waits until the import has ended. @returns the id of the operation */
async function importInto(
  roomName: string,
  dbName: string,
  given: { password?: string; content?: Uint8Array<ArrayBuffer> } = {},
): Promise<string> {
  const { fileName: file } = await network.upload('uploadDatabase', { name: 'a.adb', content: given.content ?? adb })
  const dbPassword = given.password ?? password
  const { operationId } = (await network.admin.call('importDatabase', { body: { dbName, dbPassword, file, roomName } }))
    .body
  await network.settle()
  return operationId
}

async function reasonOf(processId: string): Promise<string | null> {
  return (await network.admin.call('operationLog', { query: { processId } })).body.errorText
}
