/**
 * Between two calls of a move more than the minute may pass for which a lock lasts: the process was paused, a region
 * was slow. What users write then is not lost.
 */
import { bootNetwork, type Network, type RunningRegion, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Written, write } from '../chaos/real-room.ts'
import { writeDocuments } from '../life/room-life.ts'
import { endSessions, entriesOf, moveAll, newMigration, startRun, whereabouts } from './moves.ts'
import { type PassingCall, standBetween } from './stand-between.ts'

const source = 0
const target = 1

type Seen = (call: PassingCall) => unknown
const nothing: Seen = () => undefined
let network: Network
let migrationId: number
/** What happens while a call is on its way to the region. */
let seen: [Seen, Seen]
const ends: (() => void)[] = []
beforeAll(async () => {
  network = await bootNetwork({ regions: 2, env: { WORKER_LEASE_SECONDS: '3' } })
  migrationId = await newMigration(network)
  for (const index of [source, target] as const)
    ends.push(await standBetween(network, index, (call) => seen[index](call)))
})
beforeEach(() => {
  seen = [nothing, nothing]
})
afterAll(async () => {
  await network?.stop()
  for (const end of ends) end()
})

const region = (index: number) => network.regions[index] as RunningRegion

async function roomWithContent(): Promise<string> {
  const room = await network.newRoom()
  await writeDocuments(network, room, { one: { from: 'a user' } })
  await endSessions(network, room)
  return room
}

/** As if a minute had passed since it was renewed. */
async function endLock(index: number, room: string): Promise<void> {
  const { client } = region(index)
  const { roomId, lock } = (await client.room(room)) ?? {}
  if (roomId === undefined || lock === null || lock === undefined) throw new Error(`${room} is not locked.`)
  await client.unlockRoom(room, { roomId, holder: lock.holder })
}

async function moveOf(room: string) {
  const [row] = await network.database.rows<{ id: string; state: string; step: string }>(
    `select id, state, step from operations where room_name = $1 and kind = 'room.migrate'`,
    [room],
  )
  return row
}

const errorOf = async (room: string) => {
  const [row] = await network.database.rows<{ error: string | null }>(
    'select error_message as error from rooms where name = $1',
    [room],
  )
  return row?.error
}

/** Holds for the first call that fits, however often it is sent. */
function once(fits: (call: PassingCall) => boolean, happens: () => Promise<void>): Seen {
  let happened: Promise<void> | null = null
  return (call) => {
    if (!fits(call)) return
    happened ??= happens()
    return happened
  }
}

const isJob = (call: PassingCall, name: string) =>
  call.method === 'PUT' && call.path.startsWith('/region/v1/jobs/') && call.path.includes(`-${name}-`)
const isChangeOf = (room: string, what: string) => (call: PassingCall) =>
  call.method === 'POST' && call.path === `/region/v1/rooms/${room}/${what}`

it('what is written after the last look at the lock of the source, before it is suspended, is not left behind', async () => {
  const room = await roomWithContent()
  let written: Written | null = null
  seen[source] = once(isChangeOf(room, 'suspend'), async () => {
    await endLock(source, room)
    written = await write(region(source), room, 'late', 'by a user')
  })
  await moveAll(network, { migrationId, rooms: [room] })
  expect(written).toBe('acknowledged')
  expect(await documentsOf(source, room)).toContain('late')
  const { row, copies } = await whereabouts(network, room)
  expect(row).toMatchObject({ region_id: 1, state: 'DEFAULT' })
  expect(copies).toEqual([expect.objectContaining({ state: 'active', locked: false }), null])
  expect((await entriesOf(network, migrationId)).at(-1)).toMatchObject({
    room_name: room,
    outcome: 'failed',
    error: expect.stringContaining('was gone for a while'),
  })
})

describe('a copy that was closed by its lock only, of a move that is undone', () => {
  it('is kept when users write to it while it is looked at', async () => {
    const room = await roomWithContent()
    let isLookedAt = false
    let written: Written | null = null
    const comesAfterTheLook = once(
      ({ method, path }) => isLookedAt && method !== 'GET' && path.includes('-left-') === false,
      async () => {
        await endLock(target, room)
        written = await write(region(target), room, 'late', 'by a user')
      },
    )
    seen[target] = (call) => {
      if (isJob(call, 'digest-left')) isLookedAt = true
      else if (call.path.includes(room) || isJob(call, 'remove')) return comesAfterTheLook(call)
    }
    await failAsOfVersion1(room)
    expect(written).toBe('acknowledged')
    expect(await documentsOf(target, room)).toContain('late')
    expect(await errorOf(room)).toContain('The copy in region-2 has been changed since it was compared')
  })

  it('lets nobody in any more once it was found to be unchanged', async () => {
    const room = await roomWithContent()
    let written: Written | null = null
    seen[target] = once(
      (call) => isJob(call, 'remove'),
      async () => {
        await endLock(target, room)
        written = await write(region(target), room, 'late', 'by a user')
      },
    )
    await failAsOfVersion1(room)
    expect(written).toBe('refused')
    expect((await whereabouts(network, room)).copies).toEqual([
      expect.objectContaining({ state: 'active', locked: false }),
      null,
    ])
  })

  /** Version 1 made the copy in the state of the room. */
  async function failAsOfVersion1(room: string): Promise<void> {
    await network.planFault('room.migrate:0:after:kill')
    await startRun(network, { migrationId, rooms: [room] })
    await network.server.ended
    await network.database.rows(
      `with old as (
         update operations set version = 1, input = input - 'closedCopy' where room_name = $1 and kind = 'room.migrate'
         returning id
       )
       update operation_steps s set name = 'unlock the room in the target' from old
        where s.operation_id = old.id and s.position = 8`,
      [room],
    )
    await network.planFault('room.migrate:6:after:fail')
    await network.restartServer()
    await network.settle()
    expect(await network.faultHappened()).toBe(true)
  }
})

describe('a copy that was made closed, and is open', () => {
  it('is in use: it is kept, although it holds what it held', async () => {
    const room = await roomWithContent()
    await network.planFault('room.migrate:6:after:hold')
    await startRun(network, { migrationId, rooms: [room] })
    await until('both copies are compared', () => network.faultHappened())
    await openTarget(room)
    await network.admin.call('cancelOperation', { params: { id: (await moveOf(room))?.id ?? '' } })
    await network.settle()
    expect((await whereabouts(network, room)).copies[target]).toMatchObject({ state: 'active', locked: false })
    expect(await errorOf(room)).toContain('The copy in region-2 is open for users')
  })

  it('keeps the source closed: users never write to both', async () => {
    const room = await roomWithContent()
    // As when the database has lost that the room was switched.
    seen[source] = once(isChangeOf(room, 'suspend'), async () => {
      await endLock(source, room)
      await openTarget(room)
    })
    await moveAll(network, { migrationId, rooms: [room] })
    const { row, copies } = await whereabouts(network, room)
    expect(row).toMatchObject({ region_id: 1, state: 'ERROR' })
    expect(copies).toMatchObject([{ state: 'suspended' }, { state: 'active', locked: false }])
    expect(await errorOf(room)).toContain('The copy in region-2 is open for users')
  })

  async function openTarget(room: string): Promise<void> {
    await endLock(target, room)
    const { client } = region(target)
    await client.resumeRoom(room, (await client.room(room))?.roomId ?? '')
  }
})

async function documentsOf(index: number, room: string): Promise<string[]> {
  const { client, url } = region(index)
  const { id, token } = await client.openSession(room, 'owner@example.com')
  const found = await Promise.all(
    ['one', 'late'].map(async (document) => {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`${url}/rooms/${room}/databases/main/documents/${document}`, { headers })
      await answer.body?.cancel()
      return answer.ok ? [document] : []
    }),
  )
  await client.endSession(room, id)
  return found.flat()
}
