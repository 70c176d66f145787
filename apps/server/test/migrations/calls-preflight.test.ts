/** The preflight: the obstacles of each room, asked of real regions, before anything is changed. */
import { randomUUID } from 'node:crypto'
import { type BodyGiven, type Routes, routes } from '@roomkeeper/contract'
import { bootNetwork, miningDraft, type Network, type RunningRegion } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { giveRooms, makeCopy, problemOf, roomIdOf, saveMigration } from './call-support.ts'

let network: Network
let id: number
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
  id = (await saveMigration(network)).id
})
afterAll(() => network?.stop())

type Selection = BodyGiven<Routes['preflightLiveMigration']>

async function preflight(given: Partial<Selection>, query: { page?: number; size?: number } = {}) {
  const body = { liveMigrationData: { id }, selectedRooms: [], ...given }
  return (await network.admin.call('preflightLiveMigration', { query, body })).body
}

/** `kind effect` of each obstacle of the room. */
async function obstaclesOf(room: string, given: Partial<Selection> = {}): Promise<string[]> {
  const { rooms } = await preflight({ selectedRooms: [room], ...given })
  return rooms.flatMap((each) => each.obstacles.map(({ kind, effect }) => `${kind} ${effect}`))
}

const source = () => regionAt(0)
const target = () => regionAt(1)
function regionAt(index: number): RunningRegion {
  const region = network.regions[index]
  if (region === undefined) throw new Error('no such region')
  return region
}
const setRegion = (regionId: number, set: string) =>
  network.database.rows(`update regions set ${set} where id = $1`, [regionId])

describe('the preflight of a room', () => {
  // shows: C-preflightLiveMigration
  it('that nothing stands in the way of tells its size and how long it will take', async () => {
    const room = await network.newSuspendedRoom()
    const found = await preflight({ selectedRooms: [room] })
    expect(found).toMatchObject({ totalElements: 1, totalPages: 1, obstacles: [] })
    expect(found.rooms).toMatchObject([{ projectRoomName: room, projectRoomState: 'SUSPENDED', obstacles: [] }])
    expect(found.rooms[0]?.bytes).toBe((await source().client.room(room))?.size)
    expect(found.rooms[0]?.seconds).toBeGreaterThan(0)
  })

  it('in use says that it would be postponed, or moved while in use', async () => {
    const room = await network.newRoom()
    await source().client.openSession(room, 'owner@example.com')
    expect(await obstaclesOf(room)).toEqual(['session postponed'])
    expect(await obstaclesOf(room, { skippActiveSessions: true })).toEqual(['session hint'])
  })

  it('that is locked would be postponed', async () => {
    const room = await network.newRoom()
    await source().client.lockRoom(room, { roomId: await roomIdOf(network, room), holder: 'somebody' })
    expect(await obstaclesOf(room)).toEqual(['lock postponed'])
  })

  it('whose name is taken in the target would fail, and says by whom', async () => {
    const [foreign, leftOver] = [await network.newRoom(), await network.newRoom()]
    await makeCopy(target(), foreign, randomUUID())
    await makeCopy(target(), leftOver, await roomIdOf(network, leftOver))
    const { rooms } = await preflight({ selectedRooms: [foreign, leftOver] })
    expect(rooms.map((each) => each.obstacles)).toMatchObject([
      [{ kind: 'name-taken', effect: 'fails', text: 'The region region-2 has another project room of this name.' }],
      [{ kind: 'name-taken', effect: 'fails', text: expect.stringContaining('an earlier migration') }],
    ])
  })

  it('of a product that the target does not serve would fail', async () => {
    const room = await network.newRoom(miningDraft())
    await setRegion(2, `products = '{ARIS}'`)
    expect(await obstaclesOf(room)).toEqual(['product-not-served fails'])
    await setRegion(2, `products = '{ARIS,MINING,ENTERPRISE}'`)
  })

  it('with an operation of its own would be postponed', async () => {
    const room = await network.newRoom()
    const operation = randomUUID()
    await network.database.rows(
      `insert into operations (id, kind, version, room_id, room_name, input, state, started_by)
       values ($1, 'test', 1, $2, $3, '{}', 'running', 'test')`,
      [operation, await roomIdOf(network, room), room],
    )
    expect(await obstaclesOf(room)).toEqual(['busy postponed'])
    await network.database.rows('delete from operations where id = $1', [operation])
  })

  it('that is gone, elsewhere, in another state, or unknown to its region would fail', async () => {
    const [inError = '', elsewhere = '', unknown = ''] = await giveRooms(network, [
      { regionId: 1, state: 'ERROR' },
      { regionId: 2 },
      { regionId: 1 },
    ])
    for (const room of [inError, elsewhere, unknown, 'nobody'])
      expect(await obstaclesOf(room)).toEqual(['wrong-state fails'])
    const { rooms } = await preflight({ selectedRooms: [inError, elsewhere, unknown, 'nobody'] })
    const shown = Object.fromEntries(rooms.map((each) => [each.projectRoomName, each.projectRoomState]))
    expect(shown).toEqual({ [inError]: 'OTHER', [elsewhere]: 'OTHER', nobody: 'OTHER', [unknown]: 'DEFAULT' })
    await network.database.rows('delete from rooms where name = any($1)', [[inError, elsewhere, unknown]])
  })
})

describe('the preflight of a run', () => {
  // shows: C-preflightLiveMigration
  it('says which rooms no longer fit, across pages', async () => {
    const names = Array.from({ length: 5 }, (_, index) => `fits${index}`)
    await giveRooms(
      network,
      names.map((name, index) => ({ name, regionId: 1, priority: index === 4 ? 1 : 0 })),
    )
    await setRegion(2, 'max_rooms = room_count + 3')
    const noCapacity = async (page: number) => {
      const found = await preflight({ allMatching: { search: 'fits' } }, { page, size: 2 })
      expect(found).toMatchObject({
        totalElements: 5,
        totalPages: 3,
        obstacles: [{ kind: 'capacity', text: 'The region region-2 has capacity for 3 of 5 project rooms.' }],
      })
      return found.rooms.map((each) => [
        each.projectRoomName,
        each.obstacles.some((obstacle) => obstacle.kind === 'capacity'),
      ])
    }
    expect(await noCapacity(0)).toEqual([
      ['fits4', false],
      ['fits0', false],
    ])
    // The region does not have fits1, so it takes no place of fits2; the rooms of earlier pages count all.
    expect(await noCapacity(1)).toEqual([
      ['fits1', false],
      ['fits2', false],
    ])
    expect(await noCapacity(2)).toEqual([['fits3', true]])
    await setRegion(2, 'max_rooms = -1')
    await network.database.rows(`delete from rooms where name like 'fits%'`)
  })

  it('gives no place in the target to a room that would not be moved', async () => {
    const used = await network.newRoom()
    const free = await network.newRoom()
    await network.regions[0]?.client.openSession(used, 'owner@example.com')
    await setRegion(2, 'max_rooms = room_count + 1')
    await network.database.rows('update rooms set priority = 9 where name = $1', [used])
    const { rooms } = await preflight({ selectedRooms: [used, free] })
    const kinds = rooms.map(({ projectRoomName, obstacles }) => [projectRoomName, obstacles.map(({ kind }) => kind)])
    expect(kinds).toEqual([
      [used, ['session']],
      [free, []],
    ])
    await setRegion(2, 'max_rooms = -1')
  })

  it('names a disabled target and a region that does not answer, and still answers itself', async () => {
    const room = await network.newRoom()
    const { url } = target()
    await setRegion(2, `state = 'disabled', url = 'http://127.0.0.1:9'`)
    const found = await preflight({ selectedRooms: [room] })
    expect(found.obstacles).toMatchObject([
      { kind: 'region-disabled', effect: 'fails', text: 'The target region region-2 is disabled.' },
      {
        kind: 'region-unreachable',
        effect: 'fails',
        text: expect.stringContaining('region-2'),
        reason: expect.objectContaining({ code: 'named-region-unreachable' }),
      },
    ])
    // Each of them is an obstacle of every room, and the reason why nothing can be started.
    expect(found.rooms[0]?.obstacles).toEqual(found.obstacles)
    expect(found.whyNotStart).toMatchObject({ code: 'move-region-disabled', params: { region: 'region-2' } })
    expect(found.rooms[0]?.bytes).toBeGreaterThan(0)
    await setRegion(1, `url = 'http://127.0.0.1:9'`)
    expect((await preflight({ selectedRooms: [room] })).rooms).toMatchObject([
      { projectRoomName: room, bytes: null, seconds: null },
    ])
    await setRegion(1, `url = '${source().url}'`)
    await setRegion(2, `state = 'enabled', url = '${url}'`)
  })

  it('says that a region refuses the login, that a force delete was a moment ago, and that the target is full', async () => {
    const room = await network.newSuspendedRoom()
    const asked = async () => {
      const { obstacles, rooms, whyNotStart } = await preflight({ selectedRooms: [room] })
      expect(rooms[0]?.obstacles.map(({ kind }) => kind)).toEqual(obstacles.map(({ kind }) => kind))
      expect(whyNotStart).toEqual(obstacles[0]?.reason)
      return obstacles.map(({ text }) => text)
    }
    await network.database.rows(
      `insert into forced_deletions (region_id, operation_id, ended_at)
       values (2, $1, now() - interval '5 minutes')`,
      [randomUUID()],
    )
    expect(await asked()).toEqual([
      'Failed project rooms were deleted in the target region region-2 a short while ago. Please wait another 15 min.',
    ])
    await network.database.rows('delete from forced_deletions')
    await setRegion(2, 'max_rooms = room_count')
    expect(await asked()).toEqual(['The region region-2 has capacity for 0 of 1 project room.'])
    await setRegion(2, 'max_rooms = -1, password = (select system_password from regions where id = 2)')
    expect(await asked()).toEqual([
      "The region region-2 refused the stored user name or password. Check them in the region's settings.",
    ])
    await setRegion(2, 'password = (select password from regions where id = 1)')
  })

  it('needs a selection and a configuration', async () => {
    const nothing = { liveMigrationData: { id }, selectedRooms: [] }
    expect(await problemOf(network, routes.preflightLiveMigration, nothing)).toMatchObject({
      status: 400,
      detail: 'Please select project rooms for live migration',
    })
    const unknown = { liveMigrationData: { id: id + 1 }, selectedRooms: ['some'] }
    expect((await problemOf(network, routes.preflightLiveMigration, unknown)).status).toBe(404)
  })
})
