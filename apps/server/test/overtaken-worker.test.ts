/** A worker that does not know yet that another one has claimed its operation must not change anything. */
import { randomUUID } from 'node:crypto'
import { until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { endOperation } from '#operations/end-operations.ts'
import { Overtaken } from '#operations/failures.ts'
import { queryRows } from '#platform/database.ts'
import { createLog } from '#platform/log.ts'
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
  // It would claim what the next test begins.
  await worker.stop()
})

it('what an overtaken worker has done to its end is not ended by it, nor ended twice by the one that has it', async () => {
  const id = await world.begin({ region: 9 })
  await queryRows(world.ours.db, `update operations set state = 'running', fence = 2 where id = $1`, [id])
  const settled: number[] = []
  const parts = { database: world.ours, log: createLog('silent') }
  const endWith = (fence: number) =>
    endOperation(parts, { operationId: id, fence }, { state: 'done', reasons: null }, async () => {
      settled.push(fence)
    })
  await expect(endWith(1)).rejects.toThrow(Overtaken)
  expect((await world.state(id)).state).toBe('running')
  expect(await endWith(2)).toBe(true)
  expect(await endWith(2)).toBe(false)
  expect(await endWith(1)).toBe(false)
  expect({ settled, state: (await world.state(id)).state }).toEqual({ settled: [2], state: 'done' })
})
