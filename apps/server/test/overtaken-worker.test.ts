/** A worker that does not know yet that another one has claimed its operation must not change anything. */
import { randomUUID } from 'node:crypto'
import { until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { queryRows } from '#platform/database.ts'
import { createFixtureWorld, type FixtureWorld } from './fixture-operations/fixture-world.ts'

let world: FixtureWorld
beforeAll(async () => {
  world = await createFixtureWorld()
})
afterAll(() => world?.stop())

it('what an overtaken worker is about to commit is not committed', async () => {
  const worker = await world.worker()
  const id = await world.begin({ input: { waitsAt: 'second' }, subject: 'overtaken' })
  await until('its second step waits', () => world.isAt(id, 'second'))
  await world.ours.transaction(async (tx) => {
    const other = randomUUID()
    await queryRows(tx, 'insert into workers (id, pid) values ($1, 0)', [other])
    await queryRows(tx, 'update operations set worker_id = $2, fence = fence + 1 where id = $1', [id, other])
    // At the same moment, the first worker's step continues.
    await queryRows(tx, 'insert into fixture_signs values ($1)', ['go overtaken'])
  })
  await until('it has given up', async () => worker.output().includes('was taken over by another worker'))
  expect(await world.effects(id)).toEqual(['first'])
  // The other worker is dead, so this one claims the operation again.
  await world.settle()
  expect(await world.effects(id)).toEqual(['first', 'second', 'third', 'done'])
})
