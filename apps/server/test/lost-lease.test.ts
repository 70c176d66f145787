/** A worker whose row is missing could not be found dead, so its operations would not be taken over. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFixtureWorld, type FixtureWorld } from './fixture-operations/fixture-world.ts'

let world: FixtureWorld
beforeAll(async () => {
  world = await createFixtureWorld()
})
afterAll(() => world?.stop())

it('a worker that finds its row gone ends, also when it has nothing to do', async () => {
  const worker = await world.worker()
  expect(await world.database.rows('delete from workers returning id')).toHaveLength(1)
  await worker.ended
  expect(worker.child.exitCode).toBe(75)
})
