/** A cancel is stored with the operation, so its worker finds it even if the notification was lost. */
import { until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFixtureWorld, type FixtureWorld } from './fixture-operations/fixture-world.ts'

let world: FixtureWorld
beforeAll(async () => {
  world = await createFixtureWorld()
})
afterAll(() => world?.stop())

const putBack = ['first', 'undo second', 'undo first', 'cancelled']

it('stops the step under way also when its notification was lost', async () => {
  const worker = await world.worker()
  const id = await world.begin({ input: { waitsAt: 'second' }, subject: 'unheard' })
  await until('its second step waits', () => world.isAt(id, 'second'))
  await world.database.rows(`update operations set cancel_requested = true, state = 'cancelling' where id = $1`, [id])
  await world.settle()
  expect(await world.state(id)).toMatchObject({ state: 'cancelled' })
  expect(await world.effects(id)).toEqual(putBack)
  await worker.stop()
})

it('is read before a step begins: the worker that takes the operation over undoes it, and does nothing more', async () => {
  const worker = await world.worker()
  const id = await world.begin({ input: { waitsAt: 'second' }, subject: 'taken over' })
  await until('its second step waits', () => world.isAt(id, 'second'))
  await worker.stop('SIGKILL')
  await world.database.rows(`update operations set cancel_requested = true, state = 'cancelling' where id = $1`, [id])
  await world.sign('go taken over')
  await world.worker()
  await world.settle()
  expect(await world.state(id)).toMatchObject({ state: 'cancelled' })
  expect(await world.effects(id)).toEqual(putBack)
})
