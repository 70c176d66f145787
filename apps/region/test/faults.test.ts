import { once } from 'node:events'
import { RegionUnreachable } from '@roomkeeper/region-protocol'
import { afterEach, expect, test } from 'vitest'
import { setFaults } from './injected-faults.ts'
import { newCreation, type RegionProcess, startRegion } from './region-process.ts'

const regions: RegionProcess[] = []
async function start(): Promise<RegionProcess> {
  const region = await startRegion()
  regions.push(region)
  return region
}
afterEach(async () => {
  for (const region of regions.splice(0)) await region.remove()
})

const rooms = { method: 'PUT', path: '/region/v1/rooms/' }

test('without REGION_FAULTS nothing can be injected', async () => {
  const region = await startRegion({ REGION_FAULTS: '0', REGION_EXPORT_COST: '17' })
  regions.push(region)
  const answer = await fetch(`${region.url}/faults`, { method: 'PUT', body: '[]' })
  expect(answer.status).toBe(404)
})

test('a status is answered as often as asked for, without effect', async () => {
  const { client, ...region } = await start()
  await setFaults(region as RegionProcess, [{ ...rooms, action: 'status', status: 502, times: 2 }])
  const create = () => client.createRoom('alpha', newCreation({ roomId: '6b1c6d1e-9c3e-4c59-8c55-6a3c7ac1c0de' }))
  for (let time = 0; time < 2; time += 1)
    await expect(create()).rejects.toMatchObject({ status: 502, isTransient: true })
  expect(await client.room('alpha')).toBeNull()
  expect((await create()).name).toBe('alpha')
})

test('a connection that breaks and one that hangs are told apart, and neither had an effect', async () => {
  const region = await start()
  const client = region.newClient({ timeoutSeconds: 1 })
  await client.status()
  await setFaults(region, [
    { ...rooms, action: 'reset' },
    { ...rooms, action: 'hang' },
  ])
  const first = await client.createRoom('alpha', newCreation()).catch((error: unknown) => error)
  const second = await client.createRoom('alpha', newCreation()).catch((error: unknown) => error)
  expect([first, second].map((error) => error instanceof RegionUnreachable)).toEqual([true, true])
  expect((first as RegionUnreachable).reason).not.toBe('timeout')
  expect((second as RegionUnreachable).reason).toBe('timeout')
  expect(await client.room('alpha')).toBeNull()
})

test('the process is killed before or after the effect of a call', async () => {
  for (const action of ['exit-before', 'exit-after'] as const) {
    const region = await start()
    await setFaults(region, [{ ...rooms, action }])
    const exit = once(region.child, 'exit')
    await expect(region.client.createRoom('alpha', newCreation())).rejects.toBeInstanceOf(RegionUnreachable)
    expect(await exit).toEqual([null, 'SIGKILL'])
    const next = await region.again()
    regions.push(next)
    expect((await next.client.room('alpha')) !== null).toBe(action === 'exit-after')
  }
})
