/** Updates of all system databases: they wait for busy rooms, list the rooms that they skip, and survive kills. */
import { DatabaseSync } from 'node:sqlite'
import { ProblemError } from '@roomkeeper/contract'
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { serverKilled } from '../server-killed.ts'
import { wholeRoom } from './room-life.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({
    regions: 2,
    env: { WORKER_LEASE_SECONDS: '3', REGION_CONCURRENCY: '3' },
  })
})
afterAll(() => network?.stop())
// Each test has only the rooms that it creates.
beforeEach(() => network.database.rows('delete from rooms'))

/** Takes a room's system.db back to the version before the newest. */
async function age(room: string, region = 1): Promise<void> {
  const file = new DatabaseSync(`${network.dir}/region-${region}/rooms/${room}/system.db`)
  file.exec('drop index sessions_by_token; drop index sessions_by_user; update schema_version set version = 1')
  file.close()
}

async function oldRoom(region = 1): Promise<string> {
  const room = await network.newRoom({ region })
  await age(room, region)
  return room
}

const versionOf = async (room: string, region = 1) =>
  (await network.regions[region - 1]?.client.room(room))?.schemaVersion
const updateRegion = async (regionId = 1) =>
  (await network.admin.call('updateSystemDatabasesOfRegion', { body: { regionId } })).body.operationId
const updateAll = async () => (await network.admin.call('updateSystemDatabases', {})).body.operationId
const logOf = async (processId: string) => (await network.admin.call('operationLog', { query: { processId } })).body
const textsOf = async (id: string) => (await logOf(id)).lines.map(({ text }) => text.replace(/^[^:]*: /, ''))

describe('the update of all rooms', () => {
  // shows: C-updateSystemDatabases
  it('updates active and suspended rooms of all regions, which stay as they are, and tells how it went', async () => {
    const rooms = [await oldRoom(), await oldRoom(), await oldRoom(2)] as const
    await network.admin.call('suspendRoom', { body: { roomName: rooms[0] } })
    const id = await updateAll()
    await network.settle()
    expect(await logOf(id)).toMatchObject({ state: 'done', errorText: null })
    expect(await textsOf(id)).toEqual([
      'region-1: 2 updated, 0 failed, 0 skipped',
      'region-2: 1 updated, 0 failed, 0 skipped',
    ])
    expect(await Promise.all([versionOf(rooms[0]), versionOf(rooms[1]), versionOf(rooms[2], 2)])).toEqual([2, 2, 2])
    expect((await wholeRoom(network, rooms[0])).row?.state).toBe('SUSPENDED')
    expect((await wholeRoom(network, rooms[1])).row?.state).toBe('DEFAULT')
    const { body } = await network.admin.call('monitoring', { query: { type_filter: ['64'], size: 4 } })
    expect(new Set(body.data.map(({ projectRoomName }) => projectRoomName))).toEqual(
      new Set(['all project rooms', ...rooms]),
    )
    const [entry] = await network.database.rows<object>('select action, detail from audit where operation_id = $1', [
      id,
    ])
    expect(entry).toEqual({ action: 'system-databases.update', detail: 'all project rooms' })
  })

  // shows: states-system-db
  it('waits for busy rooms, leaves out those in error, and shows the others as running', async () => {
    const [busy, free, broken] = [await oldRoom(), await oldRoom(), await oldRoom()]
    await network.database.rows(`update rooms set state = 'ERROR', error_message = 'x' where name = $1`, [broken])
    const path = `/region/v1/rooms/${busy}/suspend`
    await network.setRegionFaults([{ method: 'POST', path, action: 'delay', milliseconds: 1500 }])
    const suspending = network.admin.call('suspendRoom', { body: { roomName: busy } })
    await until('it is being suspended', async () => (await wholeRoom(network, busy)).row?.state === 'IN_PROGRESS')
    const id = await updateRegion()
    await until('the free room is updated', async () => (await versionOf(free)) === 2)
    expect(await versionOf(busy)).toBe(1)
    await suspending
    await network.settle()
    expect(await versionOf(busy)).toBe(2)
    expect(await versionOf(broken)).toBe(1)
    expect(await textsOf(id)).toEqual(['region-1: 2 updated, 0 failed, 1 skipped', `skipped, ERROR: ${broken}`])
    expect((await logOf(id)).state).toBe('done')
  })

  it('lists a room that is being deleted although nothing works on it', async () => {
    const [free, stuck] = [await oldRoom(), await oldRoom()]
    await network.database.rows(`update rooms set state = 'MARKED_FOR_DELETION' where name = $1`, [stuck])
    const id = await updateRegion()
    await network.settle()
    expect(await textsOf(id)).toEqual(['region-1: 1 updated, 0 failed, 1 skipped', `skipped, ON_DELETING: ${stuck}`])
    expect([(await logOf(id)).state, await versionOf(free)]).toEqual(['done', 2])
  })

  it('is a bulk, which shows how far it is and which rooms it skipped', async () => {
    const [, broken] = [await oldRoom(), await oldRoom()]
    await network.database.rows(`update rooms set state = 'ERROR', error_message = 'x' where name = $1`, [broken])
    const id = await updateAll()
    await network.settle()
    expect((await network.admin.call('bulk', { params: { id } })).body).toMatchObject({
      action: 'updateSystemDatabase',
      state: 'PARTIALLY_DONE',
      total: 2,
      counts: { DONE: 1, SKIPPED: 1 },
      canRetry: false,
    })
    const items = (await network.admin.call('bulkItems', { params: { id } })).body.data
    expect(items[0]).toMatchObject({ projectRoomName: broken, state: 'SKIPPED' })
  })

  it('gives a region up whose first rooms all fail, and a retry takes its rooms up again', async () => {
    const rooms = await Promise.all(Array.from({ length: 12 }, () => oldRoom()))
    await network.setRegionFaults([
      { method: 'GET', path: '/region/v1/rooms/', action: 'status', status: 400, times: 1000 },
    ])
    const id = await updateRegion()
    await network.settle()
    const texts = await textsOf(id)
    expect(texts[0]).toBe('region-1: the first 5 project rooms could not be updated, so no other is tried')
    expect(await logOf(id)).toMatchObject({
      state: 'failed',
      errorText: '12 project rooms could not be updated; the log says more.',
    })
    await network.setRegionFaults([])
    await network.admin.call('retryBulk', { params: { id } })
    await network.settle()
    expect(await Promise.all(rooms.map((room) => versionOf(room)))).toEqual(rooms.map(() => 2))
  })

  it('gives a region up that does not answer at the beginning', async () => {
    const room = await oldRoom(2)
    await network.regions[1]?.stop()
    const id = await updateRegion(2)
    await network.settle()
    expect(await logOf(id)).toMatchObject({
      state: 'failed',
      errorText: '1 project room could not be updated; the log says more.',
    })
    expect(await childrenOf(id, 'failed')).toBe(0)
    await network.restartRegion(1)
    await network.admin.call('retryOperation', { params: { id } })
    await network.settle()
    expect(await versionOf(room, 2)).toBe(2)
  })

  it.each(['before', 'after'])('goes on after a kill (%s its work)', async (point) => {
    const rooms = [await oldRoom(), await oldRoom(), await oldRoom()]
    await network.planFault(`system-databases.update:update-rooms:${point}:kill`)
    const id = await updateRegion()
    await serverKilled(network)
    await network.restartServer()
    await network.settle()
    expect((await logOf(id)).state).toBe('done')
    for (const room of rooms) expect(await versionOf(room)).toBe(2)
    const [row] = await network.database.rows<{ children: number }>(
      'select count(*)::int as children from operations where parent_id = $1',
      [id],
    )
    expect(row?.children).toBe(3)
  })

  it('that could not update all ends as failed, and a retry does only what is left', async () => {
    const [good, bad] = [await oldRoom(), await oldRoom()]
    const path = `/region/v1/rooms/${bad}`
    await network.setRegionFaults([{ method: 'GET', path, action: 'status', status: 400 }])
    const id = await updateRegion()
    await network.settle()
    expect(await logOf(id)).toMatchObject({
      state: 'failed',
      errorText: '1 project room could not be updated; the log says more.',
    })
    expect([await versionOf(good), await versionOf(bad)]).toEqual([2, 1])
    await network.admin.call('retryOperation', { params: { id } })
    await network.settle()
    expect(await logOf(id)).toMatchObject({ state: 'done', errorText: null })
    expect(await versionOf(bad)).toBe(2)
    const children = await network.database.rows<{ room_name: string; state: string }>(
      'select room_name, state from operations where parent_id = $1 order by created_at',
      [id],
    )
    expect(children.map(({ room_name, state }) => `${room_name} ${state}`).toSorted()).toEqual(
      [`${good} done`, `${bad} failed`, `${bad} done`].toSorted(),
    )
  })

  it('is refused while another one covers the same rooms, and answers a repeated key with the same one', async () => {
    const room = await oldRoom()
    await oldRoom(2)
    const path = `/region/v1/rooms/${room}`
    await network.setRegionFaults([{ method: 'GET', path, action: 'delay', milliseconds: 1500 }])
    const headers = { 'idempotency-key': 'once' }
    const body = { regionId: 1 }
    const start = async () =>
      (await network.admin.call('updateSystemDatabasesOfRegion', { body, headers })).body.operationId
    const id = await start()
    expect(await start()).toBe(id)
    await expect(updateRegion(1)).rejects.toThrow('The system databases are already being updated.')
    await expect(updateAll()).rejects.toThrow(ProblemError)
    const other = await updateRegion(2)
    await network.settle()
    expect((await logOf(other)).state).toBe('done')
    await expect(updateRegion(999)).rejects.toThrow('There is no region with the id 999.')
  })

  it('cancelled, it finishes the rooms under way and leaves the rest', async () => {
    const rooms: string[] = []
    for (let n = 0; n < 7; n += 1) rooms.push(await oldRoom())
    await network.setRegionFaults([
      { method: 'PUT', path: '/region/v1/jobs/', action: 'delay', milliseconds: 1500, times: 2 },
    ])
    const id = await updateRegion()
    await until('two rooms are under way', async () => (await childrenOf(id, 'running')) === 2)
    await network.admin.call('cancelOperation', { params: { id } })
    await network.settle()
    expect((await logOf(id)).state).toBe('cancelled')
    const versions = await Promise.all(rooms.map((room) => versionOf(room)))
    expect(versions.filter((version) => version === 2)).toHaveLength(await childrenOf(id, 'done'))
    expect(await childrenOf(id, 'done')).toBeLessThan(7)
    expect(await childrenOf(id, 'done')).toBeGreaterThan(0)
  })

  it('cancelled, it tells the consoles nothing while it waits for the rooms under way', async () => {
    for (let n = 0; n < 3; n += 1) await oldRoom()
    await network.setRegionFaults([
      { method: 'PUT', path: '/region/v1/jobs/', action: 'delay', milliseconds: 5000, times: 2 },
    ])
    const id = await updateRegion()
    await until('two rooms are under way', async () => (await childrenOf(id, 'running')) === 2)
    await network.admin.call('cancelOperation', { params: { id } })
    await until('no room is in line', async () => (await childrenOf(id, 'waiting')) === 0)
    const told = async () => {
      const about = await network.database.rows(`select from events where payload->>'operationId' = $1`, [id])
      return about.length
    }
    const before = await told()
    await network.settle()
    // The remaining events are about the rooms that were being updated at that moment, and about the end.
    expect((await told()) - before).toBeLessThan(6)
  })

  it('needs the system password of the region; it stands in no log', async () => {
    const rooms = [await oldRoom(), await oldRoom()]
    const { body } = await network.admin.call('regions', {})
    const region = body.find(({ regionId }) => regionId === 1)
    if (region === undefined) throw new Error('There is no region 1.')
    const change = (passwordSystem: string) => {
      const { regionId, regionIP, numberOfProjectRooms: _, isMigrationTarget: __, version: ___, ...rest } = region
      const changed = { ...rest, id: regionId, regionIPorURL: regionIP, passwordSystem }
      return network.admin.call('changeRegion', { body: changed })
    }
    await change('a wrong system password')
    const id = await updateRegion()
    await network.settle()
    expect((await logOf(id)).state).toBe('failed')
    for (const room of rooms) expect(await versionOf(room)).toBe(1)
    const everything = await network.database.rows('select * from operation_log')
    expect(JSON.stringify(everything)).not.toContain('a wrong system password')
    await change(network.regions[0]?.systemPassword ?? '')
  })

  it('of a room whose region is away fails once, and the first retry does it', async () => {
    const room = await oldRoom()
    const away = { path: '/region/v1/jobs/', action: 'status', status: 503, times: 100_000 }
    await network.setRegionFaults(['PUT', 'DELETE', 'GET'].map((method) => ({ ...away, method })))
    const parent = await updateRegion()
    let id: string | undefined
    await until('it fails', async () => {
      id = (await failing(parent))[0]?.id
      return id !== undefined
    })
    await network.settle()
    const end = async () => (await network.database.rows('select state, error from operations where id = $1', [id]))[0]
    const error = expect.not.stringContaining('put back')
    expect(await end()).toEqual({ state: 'failed', error })
    await network.setRegionFaults([])
    await network.admin.call('retryOperation', { params: { id: id ?? '' } })
    await network.settle()
    expect(await end()).toEqual({ state: 'done', error: null })
    expect(await versionOf(room)).toBe(2)
  })

  // shows: C-updateSystemDatabasesOfRegion
  it('of a disabled region is possible, and of one without rooms too', async () => {
    await network.database.rows(`update regions set state = 'disabled' where id = 1`)
    const room = await oldRoom(2)
    await network.database.rows('update rooms set region_id = 2')
    const ids = [await updateRegion(1), await updateRegion(2)]
    await network.settle()
    await network.database.rows(`update regions set state = 'enabled' where id = 1`)
    for (const id of ids) expect((await logOf(id)).state).toBe('done')
    expect(await versionOf(room, 2)).toBe(2)
  })
})

async function childrenOf(id: string, state: string): Promise<number> {
  const [row] = await network.database.rows<{ children: number }>(
    'select count(*)::int as children from operations where parent_id = $1 and state = $2',
    [id, state],
  )
  return row?.children ?? 0
}

/** Makes failing children seem to have been failing for longer than they are retried. @returns them */
function failing(parent: string) {
  return network.database.rows<{ id: string }>(
    `update operation_steps set failing_since = now() - interval '20 minutes'
      where operation_id in (select id from operations where parent_id = $1) and failing_since is not null
      returning operation_id as id`,
    [parent],
  )
}
