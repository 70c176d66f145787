/** A repair looks at its finding before and after: much can happen since it was found, and while it is repaired. */
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type PassingCall, standBetween } from '../migrations/stand-between.ts'
import { findingsAbout, kindsOf, regionAt, repair, roomIdOf } from './look.ts'

let network: Network
let seen: (call: PassingCall) => unknown = () => undefined
let end: (() => void) | undefined
beforeAll(async () => {
  network = await bootNetwork()
  end = await standBetween(network, 0, (call) => seen(call))
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
    // Whoever has closed it does so again, before the repair looks.
    else if (isSent && call.method === 'GET') await regionAt(network, 0).client.suspendRoom(name, roomId)
  }
  expect(await repair(network, finding, 'send-again')).toEqual({ state: 'failed', error: 'It is so as before.' })
  expect(isSent).toBe(true)
  const open = (await network.admin.call('doctorFindings', { query: { size: 100 } })).body.data
  expect(open.filter(({ id }) => id === finding.id)).toHaveLength(1)
})

/** One that users should get into, closed behind the console's back. */
async function closedRoom() {
  const name = await network.newRoom()
  const roomId = await roomIdOf(network, name)
  await regionAt(network, 0).client.suspendRoom(name, roomId)
  const found = await findingsAbout(network, name)
  expect(kindsOf(found)).toEqual(['state-differs'])
  return { name, roomId, finding: found[0] as (typeof found)[number] }
}
