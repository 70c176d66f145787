/** One worker at a time regularly checks the health of regions to which no other calls are made. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { interceptCalls } from './migrations/intercept-calls.ts'

let network: Network
const ends: (() => void)[] = []
beforeAll(async () => {
  network = await bootNetwork({
    regions: 3,
    env: { REGION_HEALTH_SECONDS: '1', WORKER_LEASE_SECONDS: '2' },
  })
})
afterAll(async () => {
  await network?.stop()
  for (const end of ends) end()
})

async function healthOf(...ids: number[]) {
  const { body } = await network.admin.call('regions', {})
  return ids.map((id) => body.find(({ regionId }) => regionId === id)?.health)
}

const waiting = { timeout: 30_000, interval: 200 }

// shows: C-regions
it('of a silent and of a hanging region is told without a call, and so is that they are back; disabled ones are not asked', async () => {
  let asked = 0
  const disabled = createServer((_, answer) => {
    asked += 1
    answer.destroy()
  }).listen(0, '127.0.0.1')
  await once(disabled, 'listening')
  ends.push(() => disabled.close())
  await network.database.rows(
    `insert into regions (name, url, user_name, password, system_password, products, state)
      select 'disabled', $1, user_name, password, system_password, products, 'disabled' from regions where id = 1`,
    [`http://127.0.0.1:${(disabled.address() as AddressInfo).port}`],
  )
  await expect.poll(() => healthOf(1, 2, 3), waiting).toEqual(['answers', 'answers', 'answers'])

  await network.setRegionFaults([{ path: '/region/v1/', action: 'hang', times: 1000 }], 1)
  await network.regions[0]?.stop('SIGKILL')
  await expect.poll(() => healthOf(1, 2, 3), waiting).toEqual(['unreachable', 'unreachable', 'answers'])
  await network.setRegionFaults([], 1)
  await network.restartRegion(0)
  await expect.poll(() => healthOf(1, 2, 3), waiting).toEqual(['answers', 'answers', 'answers'])
  expect(asked).toBe(0)
})

it('is asked for by one process at a time, and by the others when one has died', async () => {
  let signIns = 0
  let calls = 0
  ends.push(
    await interceptCalls(network, 2, ({ method, path }) => {
      calls += 1
      if (method === 'POST' && path.endsWith('/session')) signIns += 1
    }),
  )
  const other = await network.addServer()
  const reached = (count: number) => expect.poll(() => calls, waiting).toBeGreaterThanOrEqual(count)
  await reached(6)
  // Each process signs in for itself.
  expect(signIns).toBeLessThanOrEqual(2)
  await network.server.stop('SIGKILL')
  await reached(calls + 6)
  expect(signIns).toBe(2)
  await other.stop()
})
