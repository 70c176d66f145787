/** Force delete removes what failed moves left in a target, but never a copy that is in use. */
import { bootNetwork, type Network, uniqueRoomName, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCopy, roomIdOf } from './call-support.ts'
import { entriesOf, moveAll, newMigration, whereabouts } from './moves.ts'

let network: Network
let migrationId: number
beforeAll(async () => {
  network = await bootNetwork({ regions: 3 })
  migrationId = await newMigration(network)
})
afterAll(() => network?.stop())

it('a copy that a failed move left is in the way until it is removed by force; then the room moves', async () => {
  const room = await network.newRoom()
  const before = await whereabouts(network, room)
  await leaveCopy(room)
  await moveAll(network, { migrationId, rooms: [room] })
  expect((await entriesOf(network, migrationId)).at(-1)).toMatchObject({
    outcome: 'failed',
    error: expect.stringContaining('force delete'),
  })
  // The failed move did not remove the copy either: only an operator can say that it is not needed.
  expect((await whereabouts(network, room)).copies[1]).not.toBeNull()
  await removeByForce([room])
  expect(await whereabouts(network, room)).toEqual(before)
  const ended = await network.database.rows(
    `update forced_deletions set ended_at = now() - interval '1 hour' where region_id = 2 returning operation_id`,
  )
  expect(ended).toHaveLength(1)
  await moveAll(network, { migrationId, rooms: [room] })
  expect((await entriesOf(network, migrationId)).at(-1)).toMatchObject({ outcome: 'migrated' })
})

it('the copy in use, and a room of the same name that is another, are never removed', async () => {
  const moved = await network.newRoom()
  await network.planFault('room.migrate:compare-copies:after:fail')
  await moveAll(network, { migrationId, rooms: [moved] })
  await moveAll(network, { migrationId, rooms: [moved] })
  await expect(removeByForce([moved])).rejects.toThrow('did not fail')
  const named = await network.newRoom()
  await leaveCopy(named, crypto.randomUUID())
  await moveAll(network, { migrationId, rooms: [named] })
  await removeByForce([named])
  expect((await whereabouts(network, named)).copies[1]).not.toBeNull()
})

it('a copy that the region refuses to remove is told with the reason, and the others are removed all the same', async () => {
  const rooms = [await network.newRoom(), await network.newRoom(), await network.newRoom()].sort()
  for (const room of rooms) await leaveCopy(room)
  await network.database.rows(`update forced_deletions set ended_at = now() - interval '1 hour'`)
  await moveAll(network, { migrationId, rooms })
  const [locked = ''] = rooms
  const target = network.regions[1]?.client
  const copy = await target?.room(locked)
  await target?.lockRoom(locked, { roomId: copy?.roomId ?? '', holder: 'somebody else' })
  const { operationId } = await removeByForce(rooms)
  const copies = await Promise.all(rooms.map(async (room) => (await whereabouts(network, room)).copies[1]))
  expect(copies.map((each) => each !== null)).toEqual([true, false, false])
  const { body: entries } = await network.admin.call('migrationStates', { body: { id: migrationId } })
  const newest = rooms.map((room) => entries.find(({ projectRoomName }) => projectRoomName === room)?.isCopyRemoved)
  expect(newest).toEqual([false, true, true])
  const log = (await network.admin.call('operationLog', { query: { processId: operationId } })).body
  const reason = `The project room ${locked} is locked`
  expect(log).toMatchObject({
    state: 'failed',
    errorText: expect.stringContaining(`Not removed, because the region refused: ${locked} ("${reason}`),
  })
  const texts = log.lines.map(({ text }) => text).join('\n')
  expect(texts).toContain(`${locked}: the region refused. Region region-2: ${reason}`)
  expect(texts).toContain(`${rooms[2]}: removed`)
})

it('a copy whose region fails for a while does not make the others be told again and again', async () => {
  const rooms = [await network.newRoom(), await network.newRoom(), await network.newRoom()].sort()
  for (const room of rooms) await leaveCopy(room)
  await network.database.rows(`update forced_deletions set ended_at = now() - interval '1 hour'`)
  await moveAll(network, { migrationId, rooms })
  const [locked = '', failing = '', last = ''] = rooms
  const target = network.regions[1]?.client
  const copy = await target?.room(locked)
  await target?.lockRoom(locked, { roomId: copy?.roomId ?? '', holder: 'somebody else' })
  const fault = { method: 'GET', path: `/region/v1/rooms/${failing}`, times: 2, action: 'status', status: 503 } as const
  await network.setRegionFaults([fault], 1)
  const { operationId } = await removeByForce(rooms)
  const log = (await network.admin.call('operationLog', { query: { processId: operationId } })).body
  const count = (text: string) => log.lines.filter((line) => line.text.includes(text)).length
  expect({
    tries: count('Trying again'),
    refused: count(`${locked}: the region refused`),
    removed: [count(`${failing}: removed`), count(`${last}: removed`)],
  }).toEqual({ tries: 2, refused: 1, removed: [1, 1] })
  // Copies that come after the failing one did not have to wait for it.
  const texts = log.lines.map(({ text }) => text)
  const at = (text: string) => texts.findIndex((each) => each.includes(text))
  expect(at(`${last}: removed`)).toBeLessThan(at('Trying again'))
  expect(log.state).toBe('failed')
})

describe('a copy of which nothing can be told yet keeps no other copy in the target', () => {
  it('when the region that has its room cannot be reached', async () => {
    const [first, second] = await twoAbandonedCopies({ region: 3 })
    await network.regions[2]?.stop('SIGKILL')
    await askToRemove([first, second])
    await until('the other copy is removed', async () => (await copyOf(second)) === null)
    expect(await copyOf(first)).not.toBeNull()
    await network.restartRegion(2)
    await network.settle()
    expect(await copyOf(first)).toBeNull()
  })

  it('when its room is being deleted', async () => {
    const [first, second] = await twoAbandonedCopies({ region: 1 })
    const roomId = await roomIdOf(network, first)
    await network.database.rows(`update rooms set state = 'MARKED_FOR_DELETION' where id = $1`, [roomId])
    await network.regions[0]?.client.runJob(`delete-${first}`, { type: 'deleteRoom', room: first, roomId })
    await askToRemove([first, second])
    await until('the other copy is removed', async () => (await copyOf(second)) === null)
    // The room's deletion has failed half-way.
    await network.database.rows(`update rooms set state = 'ERROR' where id = $1`, [roomId])
    await network.settle()
    expect(await copyOf(first)).not.toBeNull()
  })

  /** The moves of both rooms have failed; the first room is in this region. */
  async function twoAbandonedCopies({ region }: { region: number }): Promise<[string, string]> {
    await network.database.rows(`update forced_deletions set ended_at = now() - interval '1 hour'`)
    const first = await network.newRoom({ tenantName: `a${uniqueRoomName()}`, region })
    const second = await network.newRoom({ tenantName: `b${uniqueRoomName()}` })
    for (const room of [first, second]) {
      await leaveCopy(room)
      await network.database.rows(
        `insert into live_migration_states (migration_id, room_id, room_name, outcome, source_region_id, target_region_id)
         select $1, id, name, 'failed', region_id, 2 from rooms where name = $2`,
        [migrationId, room],
      )
    }
    return [first, second]
  }

  const copyOf = async (room: string) => (await network.regions[1]?.client.room(room)) ?? null
})

it('a copy that is open for users is kept: the switch to it may be lost, and what they write would be', async () => {
  const rooms = [await network.newRoom(), await network.newRoom()].sort()
  for (const room of rooms) await leaveCopy(room)
  await network.database.rows(`update forced_deletions set ended_at = now() - interval '1 hour'`)
  await moveAll(network, { migrationId, rooms })
  const [open = '', closed = ''] = rooms
  await network.regions[1]?.client.resumeRoom(open, await roomIdOf(network, open))
  const { operationId } = await removeByForce(rooms)
  expect((await whereabouts(network, open)).copies[1]).toMatchObject({ state: 'active', locked: false })
  expect((await whereabouts(network, closed)).copies[1]).toBeNull()
  const log = (await network.admin.call('operationLog', { query: { processId: operationId } })).body
  expect(log).toMatchObject({
    state: 'failed',
    errorText: `Not removed, because it is open for users: ${open}.`,
  })
  expect(log.lines.map(({ text }) => text).join('\n')).toContain(`Remove copy`)
})

/** Leaves a copy like a move whose undo could not reach the target. */
async function leaveCopy(name: string, roomId?: string): Promise<void> {
  const [, target] = network.regions
  if (target === undefined) throw new Error('The network has no second region.')
  await makeCopy(target, name, roomId ?? (await roomIdOf(network, name)))
}

async function removeByForce(rooms: string[]): Promise<{ operationId: string }> {
  const begun = await askToRemove(rooms)
  await network.settle()
  return begun
}

async function askToRemove(projectRoomNames: string[]): Promise<{ operationId: string }> {
  const body = { projectRoomNames, liveMigrationDataID: migrationId }
  return (await network.admin.call('forceDeleteFailedRooms', { body })).body
}
