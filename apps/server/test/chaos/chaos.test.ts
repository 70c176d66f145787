/**
 * Everything fails at random moments: programs and users work meanwhile, rooms move, a bulk runs, or one room is compared
 * with a model. A run takes one of these tests, `ALL=1` each; `npm run chaos` runs one for long: CHAOS names it.
 */
import { sampled } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// Only what is taken is loaded, and tells its amounts.
const { CHAOS: wanted } = process.env
const taken = wanted === undefined ? sampled('chaos tests', ['everything', 'moves', 'bulk', 'model']) : [wanted]

if (taken.includes('everything')) {
  const everything = await import('./everything.ts')
  describe('everything at once', () => {
    beforeAll(everything.setUp)
    afterAll(everything.tearDown)
    it(
      'nothing is lost and nothing hangs, whatever fails, and several things at once',
      everything.run,
      everything.milliseconds,
    )
  })
}

if (taken.includes('moves')) {
  const moves = await import('./moves.ts')
  describe('moves', () => {
    beforeAll(moves.setUp)
    afterAll(moves.tearDown)
    it(
      'every room is whole, in exactly one region, after migrations through which everything is killed again and again',
      moves.run,
      moves.milliseconds,
    )
  })
}

if (taken.includes('bulk')) {
  const bulk = await import('./bulk.ts')
  describe('a bulk', () => {
    beforeAll(bulk.setUp)
    afterAll(bulk.tearDown)
    // shows: bulk-durable
    it(
      'every room is suspended exactly once, whatever is killed, and operators do not wait for the bulk',
      async () => expect(await bulk.run()).toEqual([]),
      bulk.milliseconds,
    )
  })
}

if (taken.includes('model')) {
  const model = await import('./model.ts')
  describe('the model', () => {
    beforeAll(model.setUp)
    afterAll(model.tearDown)
    it('after any sequence of actions and crashes a room is what the model says', model.run, model.milliseconds)
  })
}
