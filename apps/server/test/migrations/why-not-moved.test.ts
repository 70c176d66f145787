/** A run stops a move at the obstacle that the preflight has shown, with the same text; other rooms are moved. */
import { randomUUID } from 'node:crypto'
import type { Obstacle } from '@roomkeeper/contract'
import { bootNetwork, miningDraft, type Network, type RunningRegion, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { giveRooms, isRefusal, makeCopy, roomIdOf } from './call-support.ts'
import { entriesOf, migrationState, moveAll, newMigration, startRun } from './moves.ts'

let network: Network
let source: RunningRegion
let target: RunningRegion
let migrationId: number
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
  ;[source, target] = network.regions as [RunningRegion, RunningRegion]
  migrationId = await newMigration(network)
})
afterAll(() => network?.stop())

async function preflight(rooms: readonly string[]) {
  const body = { liveMigrationData: { id: migrationId }, selectedRooms: [...rooms] }
  return (await network.admin.call('preflightLiveMigration', { query: { size: 50 }, body })).body
}

async function obstaclesByRoom(rooms: readonly string[]): Promise<Map<string, Obstacle[]>> {
  const found = await preflight(rooms)
  return new Map(found.rooms.map(({ projectRoomName, obstacles }) => [projectRoomName, obstacles]))
}

const setTarget = (set: string) => network.database.rows(`update regions set ${set} where id = 2`)

/** One room for each obstacle, and two without any. */
async function roomsInTheirWays() {
  const mining = await network.newRoom(miningDraft())
  const [locked, used, taken, left, busy] = [
    await network.newRoom(),
    await network.newRoom(),
    await network.newRoom(),
    await network.newRoom(),
    await network.newRoom(),
  ]
  const free = [await network.newRoom(), await network.newSuspendedRoom()]
  const [missing = ''] = await giveRooms(network, [{ regionId: 1 }])
  await source.client.lockRoom(locked, { roomId: await roomIdOf(network, locked), holder: 'somebody' })
  await source.client.openSession(used, 'owner@example.com')
  await makeCopy(target, taken, randomUUID())
  await makeCopy(target, left, await roomIdOf(network, left))
  await setTarget(`products = '{ARIS}'`)
  return { free, busy, stopped: { mining, locked, used, taken, left, missing } }
}

/** Inserts an operation of the room that does not end by itself. @returns a function that ends it */
async function startOperation(room: string) {
  const id = randomUUID()
  await network.database.rows(
    `insert into operations (id, kind, version, room_id, room_name, input, state, started_by)
     values ($1, 'test', 1, $2, $3, '{}', 'running', 'test')`,
    [id, await roomIdOf(network, room), room],
  )
  return () => network.database.rows(`update operations set state = 'done', ended_at = now() where id = $1`, [id])
}

const outcomes = { fails: 'failed', postponed: 'postponed', hint: 'migrated' } as const

it('a run stops for what the preflight shows, room by room with the same texts, and moves all the others', async () => {
  const { free, busy, stopped } = await roomsInTheirWays()
  const all = [...free, busy, ...Object.values(stopped)]
  const end = await startOperation(busy)
  const shown = await obstaclesByRoom(all)
  for (const room of free) expect(shown.get(room)).toEqual([])
  for (const room of [busy, ...Object.values(stopped)]) expect(shown.get(room)).toHaveLength(1)
  await startRun(network, { migrationId, rooms: all })
  const isRunning = async () => (await migrationState(network, migrationId))?.state === 'RUNNING'
  await until('the run has ended', async () => !(await isRunning())).finally(end)
  await network.settle()
  const entries = await entriesOf(network, migrationId)
  expect(entries.map(({ room_name }) => room_name).sort()).toEqual([...all].sort())
  for (const { room_name, outcome, error } of entries) {
    const obstacle = shown.get(room_name)?.[0]
    expect(outcome).toBe(obstacle === undefined ? 'migrated' : outcomes[obstacle.effect])
    expect(error.startsWith(obstacle?.text ?? '')).toBe(true)
    if (obstacle === undefined) expect(error).toBe('')
  }
  await setTarget(`products = '{ARIS,MINING,ENTERPRISE}'`)
})

it('a room that no longer fits is refused by the run as the preflight has said', async () => {
  const room = await network.newRoom()
  await setTarget('max_rooms = room_count')
  const [obstacle] = (await obstaclesByRoom([room])).get(room) ?? []
  expect(obstacle).toMatchObject({ kind: 'capacity', effect: 'fails' })
  await moveAll(network, { migrationId, rooms: [room] })
  expect((await entriesOf(network, migrationId)).at(-1)).toMatchObject({ outcome: 'failed', error: obstacle?.text })
  await setTarget('max_rooms = -1')
})

it('a start is refused for exactly the rooms that are in no state to be moved by the preflight', async () => {
  const given = [{ regionId: 1 }, { regionId: 1, state: 'ERROR' as const }, { regionId: 2 }]
  const rooms = [...(await giveRooms(network, given)), 'nobody']
  const shown = await preflight(rooms)
  const unmovable = shown.rooms.filter(({ projectRoomState }) => projectRoomState === 'OTHER')
  const names = unmovable.map(({ projectRoomName }) => projectRoomName).sort()
  expect(names).toHaveLength(3)
  for (const { obstacles } of unmovable) expect(obstacles).toMatchObject([{ kind: 'wrong-state', effect: 'fails' }])
  await expect(startRun(network, { migrationId, rooms })).rejects.toThrow(`region region-1: ${names.join(', ')}.`)
  await network.database.rows('delete from rooms where name = any($1)', [rooms])
})

it('what stands in the way of every room refuses the start', async () => {
  const room = await network.newRoom()
  await setTarget(`state = 'disabled'`)
  expect((await preflight([room])).obstacles).toMatchObject([{ kind: 'region-disabled', effect: 'fails' }])
  await expect(startRun(network, { migrationId, rooms: [room] })).rejects.toSatisfy(isRefusal('region-disabled'))
  await setTarget(`state = 'enabled'`)
  expect((await preflight([room])).obstacles).toEqual([])
  await moveAll(network, { migrationId, rooms: [room] })
  expect((await entriesOf(network, migrationId)).at(-1)).toMatchObject({ room_name: room, outcome: 'migrated' })
})

describe('when the target has changed since the start', () => {
  /** Changes something in the transaction that starts the run, after its checks. @returns a function that undoes it */
  async function atStart(table: string, change: string) {
    await network.database.rows(`
      create function change_at_start() returns trigger language plpgsql as $$ begin ${change}; return new; end $$;
      create trigger change_at_start before insert on ${table} for each row execute function change_at_start()`)
    return () => network.database.rows('drop function change_at_start cascade')
  }

  it('a room that is busy is postponed, even while the target is disabled', async () => {
    const [busy, free] = [await network.newRoom(), await network.newRoom()]
    const end = await startOperation(busy)
    const undo = await atStart('operation_items', `update regions set state = 'disabled' where id = 2`)
    await startRun(network, { migrationId, rooms: [busy, free] })
    const isRunning = async () => (await migrationState(network, migrationId))?.state === 'RUNNING'
    await until('the run has ended', async () => !(await isRunning()))
      .finally(end)
      .finally(undo)
    await setTarget(`state = 'enabled'`)
    await network.settle()
    expect((await entriesOf(network, migrationId)).slice(-2)).toMatchObject([
      { room_name: busy, outcome: 'postponed', error: `Another operation is running for the project room ${busy}.` },
      { room_name: free, outcome: 'failed', error: 'The target region region-2 is disabled.' },
    ])
  })

  it('each room fails for itself where the target is no more, and the run comes to its end', async () => {
    const rooms = [await network.newRoom(), await network.newRoom()]
    const undo = await atStart('operations', `new.input := jsonb_set(new.input, '{targetRegionId}', '4711')`)
    await moveAll(network, { migrationId, rooms }).finally(undo)
    expect((await entriesOf(network, migrationId)).slice(-2)).toMatchObject(
      rooms.map((room) => ({ room_name: room, outcome: 'failed', error: 'There is no such region.' })),
    )
    expect(await migrationState(network, migrationId)).toMatchObject({ state: 'FAILED' })
  })
})
