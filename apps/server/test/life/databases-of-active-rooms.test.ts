/** Database operations leave an active room active and are shown as running; deletion of databases over the wire. */
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { digestOf, writeDocuments } from './room-life.ts'

let network: Network
let adb: Uint8Array<ArrayBuffer>
const password = 'the password of the export'

beforeAll(async () => {
  network = await bootNetwork()
  const origin = await network.newRoom()
  const { client } = network.regions[0] as Network['regions'][number]
  const { file } = await client.runJob('export', { type: 'backupDatabase', room: origin, database: 'main', password })
  adb = new Uint8Array(Buffer.concat(await (await client.getFile(file)).content.toArray()))
})
afterAll(() => network?.stop())
afterEach(() => network.setRegionFaults([]))

/** A room with a backup of its database `main`. */
async function preparedRoom(): Promise<string> {
  const room = await network.newRoom()
  await writeDocuments(network, room, { one: 'backed up' })
  await post('room/database/backup', { projectRoomName: room, databaseName: 'main' })
  await network.settle()
  return room
}

const actions = [
  {
    name: 'deleting a database',
    processType: 32,
    start: (room: string) => post('room/database', { projectRoomName: room, databaseName: 'main' }),
    databases: [],
  },
  {
    name: 'backing a database up',
    processType: 30,
    start: (room: string) => post('room/database/backup', { projectRoomName: room, databaseName: 'main' }),
    databases: ['main'],
  },
  {
    name: 'restoring a database',
    processType: 31,
    start: (room: string) => post('room/database/restore', { projectRoomName: room, databaseName: 'main' }),
    databases: ['main'],
  },
  {
    name: 'importing a database',
    processType: 31,
    async start(room: string) {
      const { fileName } = await network.upload('uploadDatabase', { name: 'a.adb', content: adb })
      const body = { dbName: 'more', dbPassword: password, file: fileName, roomName: room }
      return post('room/database/import', body)
    },
    databases: ['main', 'more'],
  },
]

describe.each(actions)('while $name', ({ start, processType, databases }) => {
  // shows: states-databases
  it('the room is active and shown as running, and active with nothing running when it is done', async () => {
    const room = await preparedRoom()
    // The failure is transient, so the operation keeps trying for as long as the fault lasts.
    await network.setRegionFaults([{ ...jobs, action: 'status', status: 503, times: 1000 }])
    const answer = await start(room)
    expect(answer.status).toBe(202)
    const { operationId } = answer.body as { operationId: string }
    await until('it has begun', async () => (await shown(room)).runningOperation?.step !== null)
    const running = { operationId, processType, step: expect.any(String), progress: expect.any(Number) }
    for (const seen of [await shown(room), await inList(room)])
      expect(seen).toMatchObject({ projectRoomState: 'DEFAULT', errorMessage: null, runningOperation: running })
    expect((await ask('GET', `isRunning/${room}`)).body).toBe(true)
    expect((await ask('GET', 'operations')).body).toMatchObject([{ ...running, projectRoomName: room }])
    // The operation counts as the room's only one.
    expect((await post('suspend', { roomName: room, userNotification: false })).status).toBe(409)
    await network.setRegionFaults([])
    await network.settle()
    for (const seen of [await shown(room), await inList(room)])
      expect(seen).toMatchObject({ projectRoomState: 'DEFAULT', runningOperation: null, failedOperationId: null })
    expect(await onRegion(room)).toEqual(databases)
    expect(await stateInMonitoring(operationId)).toBe('done')
  })

  // shows: states-databases-failed
  it('a failure leaves the room active as it was, and the operation failed', async () => {
    const room = await preparedRoom()
    await writeDocuments(network, room, { one: 'changed since' })
    const before = await digestOf(network, room)
    await network.setRegionFaults([{ ...jobs, action: 'status', status: 400, times: 1000 }])
    const { operationId } = (await start(room)).body as { operationId: string }
    await network.settle()
    await network.setRegionFaults([])
    expect(await stateInMonitoring(operationId)).toBe('failed')
    const failed = { projectRoomState: 'DEFAULT', runningOperation: null, failedOperationId: operationId }
    for (const seen of [await shown(room), await inList(room)]) expect(seen).toMatchObject(failed)
    expect(await digestOf(network, room)).toBe(before)
    expect(await onRegion(room)).toEqual(['main'])
  })
})

// shows: C-deleteDatabase
describe('POST room/database', () => {
  it('accepts the deletion with 202 and the id of its operation, and deletes that database only', async () => {
    const room = await network.newRoom({ edition: 'advanced', licenses: { YAAD: 1 } })
    const { fileName } = await network.upload('uploadDatabase', { name: 'a.adb', content: adb })
    await post('room/database/import', { dbName: 'More', dbPassword: password, file: fileName, roomName: room })
    await network.settle()
    const answer = await post('room/database', { projectRoomName: room, databaseName: 'more' })
    expect(answer).toEqual({ status: 202, body: { operationId: expect.stringMatching(/^[0-9a-f-]{36}$/) } })
    await network.settle()
    const list = await ask('GET', `room/database?projectRoom=${room}`)
    expect(list.body).toMatchObject([{ databaseName: 'main' }])
    expect(await onRegion(room)).toEqual(['main'])
  })

  it.each(['CLOUD_SUPPORT', 'CLOUD_SALES'] as const)('is refused for %s, and deletes nothing', async (role) => {
    const room = await network.newRoom()
    const { token } = await network.as(role)
    expect(await post('room/database', { projectRoomName: room, databaseName: 'main' }, token)).toMatchObject({
      status: 403,
    })
    await network.settle()
    expect(await onRegion(room)).toEqual(['main'])
  })

  it('is 404 for a database or room that is not there, 409 for a suspended room, 400 without a name', async () => {
    const room = await network.newRoom()
    const suspended = await network.newSuspendedRoom()
    const statusOf = async (body: object) => (await post('room/database', body)).status
    expect(await statusOf({ projectRoomName: room, databaseName: 'other' })).toBe(404)
    expect(await statusOf({ projectRoomName: 'nowhere', databaseName: 'main' })).toBe(404)
    expect(await statusOf({ projectRoomName: suspended, databaseName: 'main' })).toBe(409)
    expect(await statusOf({ projectRoomName: room })).toBe(400)
    expect([await onRegion(room), await onRegion(suspended)]).toEqual([['main'], ['main']])
  })
})

const jobs = { method: 'PUT', path: '/region/v1/jobs/' }

interface ShownRoom {
  tenantName: string
  runningOperation: { step: string | null } | null
}

const shown = async (room: string) => (await ask('GET', `room?projectRoom=${room}`)).body as ShownRoom

async function inList(room: string): Promise<ShownRoom | undefined> {
  const { body } = await ask('POST', `get_tenants?search_keys=tenantName&search_values=${room}`)
  return (body as { data: ShownRoom[] }).data.find(({ tenantName }) => tenantName === room)
}

async function stateInMonitoring(operationId: string): Promise<string | undefined> {
  const { data } = (await ask('GET', 'monitoring?size=100')).body as { data: { id: string; state: string }[] }
  return data.find(({ id }) => id === operationId)?.state
}

async function onRegion(room: string) {
  return (await network.regions[0]?.client.room(room))?.databases
}

function post(path: string, body: object, token = network.admin.token) {
  return ask('POST', path, body, token)
}

/** Makes the call exactly as it stands on the wire. */
async function ask(method: string, path: string, body?: object, token = network.admin.token) {
  const answer = await fetch(`${network.server.address}/api/operator/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as unknown }
}
