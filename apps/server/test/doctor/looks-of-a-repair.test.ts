/** A repair rechecks its finding before and after, because much can change since the run and during the repair. */
import { randomUUID } from 'node:crypto'
import { bootNetwork, type Network, uniqueRoomName } from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { interceptCalls, type PassingCall } from '../migrations/intercept-calls.ts'
import { findingsAbout, kindsOf, makeBehindTheConsole, previewOf, regionAt, repair, roomIdOf } from './run-doctor.ts'

let network: Network
let seen: (call: PassingCall) => unknown = () => undefined
let end: (() => void) | undefined
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
  end = await interceptCalls(network, 0, (call) => seen(call))
})
afterAll(async () => {
  await network?.stop()
  end?.()
})
afterEach(() => {
  seen = () => undefined
})

const isResumption = ({ method, path }: PassingCall) => method === 'POST' && path.endsWith('/resume')

it('what is in order by now is not repaired: the region is told nothing, and the repair says so', async () => {
  const { name, roomId, finding } = await closedRoom()
  await regionAt(network, 0).client.resumeRoom(name, roomId)
  const told: PassingCall[] = []
  seen = (call) => {
    if (isResumption(call)) told.push(call)
  }
  expect(await repair(network, finding, 'send-again')).toEqual({ state: 'failed', error: 'It is not so any more.' })
  expect(told).toEqual([])
  expect(await findingsAbout(network, name)).toEqual([])
})

it('a repair that did not help fails, and its finding stays open', async () => {
  const { name, roomId, finding } = await closedRoom()
  let isSent = false
  seen = async (call) => {
    if (isResumption(call)) isSent = true
    // The room is suspended again before the repair rechecks.
    else if (isSent && call.method === 'GET') await regionAt(network, 0).client.suspendRoom(name, roomId)
  }
  expect(await repair(network, finding, 'send-again')).toEqual({ state: 'failed', error: 'It is so as before.' })
  expect(isSent).toBe(true)
  const open = (await network.admin.call('doctorFindings', { query: { size: 100 } })).body.data
  expect(open.filter(({ id }) => id === finding.id)).toHaveLength(1)
})

it('a room is not adopted from one region when another one has it, too, by then', async () => {
  const [name, roomId] = [uniqueRoomName(), randomUUID()]
  await makeBehindTheConsole(regionAt(network, 1), name, roomId)
  const [finding] = await findingsAbout(network, name)
  expect(finding).toMatchObject({ kind: 'room-unknown', repairs: ['adopt'] })
  await makeBehindTheConsole(regionAt(network, 0), name, roomId)
  const reason = 'Several regions have it: region-2, region-1.'
  if (finding === undefined) throw new Error('It is not found.')
  expect(await previewOf(network, finding, 'adopt')).toMatchObject({ reason, changes: [] })
  expect(await repair(network, finding, 'adopt')).toEqual({ state: 'failed', error: reason })
  expect(await network.database.rows('select from rooms where name = $1', [name])).toEqual([])
})

it('the lock of an operation that has just ended is no finding: it ends by itself', async () => {
  const name = await network.newRoom()
  const [operation] = await network.database.rows<{ id: string }>('select id from operations where room_name = $1', [
    name,
  ])
  const holder = `migration ${operation?.id}`
  await regionAt(network, 0).client.lockRoom(name, { roomId: await roomIdOf(network, name), holder })
  expect(await findingsAbout(network, name)).toEqual([])
  await network.database.rows(`update operations set ended_at = now() - interval '3 minutes' where id = $1`, [
    operation?.id,
  ])
  expect(kindsOf(await findingsAbout(network, name))).toEqual(['lock-orphaned'])
})

/** An active room that was suspended on its region behind the console's back. */
async function closedRoom() {
  const name = await network.newRoom()
  const roomId = await roomIdOf(network, name)
  await regionAt(network, 0).client.suspendRoom(name, roomId)
  const found = await findingsAbout(network, name)
  expect(kindsOf(found)).toEqual(['state-differs'])
  return { name, roomId, finding: found[0] as (typeof found)[number] }
}
