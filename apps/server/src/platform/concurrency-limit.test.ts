import { expect, it } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { networkOf, widerNetworkOf } from './networks.ts'

it('nobody fills the queue alone: others still get into it', async () => {
  const limit = createConcurrencyLimit({ atOnce: 1, queue: 4, queueOfOne: 2 })
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const take = (owner: string) =>
    limit
      .run(() => gate, { owner })
      .then(
        () => 'done',
        (error: { code: string }) => error.code,
      )
  const answers = ['one', 'one', 'one', 'one', 'two', 'three', 'four'].map(take)
  open()
  expect(await Promise.all(answers)).toEqual([
    'done',
    'done',
    'done',
    'too-many-calls',
    'done',
    'done',
    'too-many-calls',
  ])
  expect(await take('one')).toBe('done')
})

it('one owner leaves a slot for others, and what waits leaves the queue when nobody waits for it', async () => {
  const limit = createConcurrencyLimit({ atOnce: 2, atOnceOfOne: 1, queue: 2 })
  const gates = new Map<string, () => void>()
  const started: string[] = []
  const ends: string[] = []
  const take = (name: string, owner: string, signal = new AbortController().signal) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    gates.set(name, resolve)
    const work = () => {
      started.push(name)
      return promise
    }
    return limit.run(work, { owner, signal }).then(
      () => ends.push(name),
      (error: Error) => ends.push(`${name}: ${error.message}`),
    )
  }
  const leaving = new AbortController()
  const all = [take('first', 'one'), take('second', 'one', leaving.signal), take('third', 'one'), take('other', 'two')]
  leaving.abort(new Error('gone'))
  await all[1]
  expect(started).toEqual(['first', 'other'])
  expect(ends).toEqual(['second: gone'])
  gates.get('other')?.()
  await all[3]
  expect(started).toEqual(['first', 'other'])
  gates.get('first')?.()
  gates.get('third')?.()
  await Promise.all(all)
  expect([started, ends]).toEqual([
    ['first', 'other', 'third'],
    ['second: gone', 'other', 'first', 'third'],
  ])
})

it('goes by turns: an owner with one call waits for one call of each other owner, not for all of them', async () => {
  const limit = createConcurrencyLimit({ atOnce: 2, atOnceOfOne: 1, queue: 20 })
  const started: string[] = []
  const take = (owner: string, name: string) =>
    limit.run(
      async () => {
        started.push(name)
        await new Promise(setImmediate)
      },
      { owner },
    )
  const many = ['A1', 'A2', 'A3', 'A4', 'B1', 'B2', 'B3', 'B4', 'C1', 'C2', 'C3', 'D1']
  await Promise.all(many.map((name) => take(name.slice(0, 1), name)))
  expect(started).toEqual(['A1', 'B1', 'C1', 'D1', 'A2', 'B2', 'C2', 'A3', 'B3', 'C3', 'A4', 'B4'])
})

it('a second call waits for some of those that come later, but not for ever', async () => {
  const limit = createConcurrencyLimit({ atOnce: 1, queue: 20 })
  let isThrough = false
  const others = ['B', 'C', 'D'].map(async (owner) => {
    for (let call = 0; call < 20; call += 1) await limit.run(() => new Promise(setImmediate), { owner })
    return isThrough
  })
  const first = limit.run(() => new Promise(setImmediate), { owner: 'A' })
  const second = limit.run(async () => (isThrough = true), { owner: 'A' })
  await first
  expect(await Promise.all(others)).toEqual([true, true, true])
  await second
})

it.each([
  ['203.0.113.7', '203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:0DB8::6', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['unknown', 'unknown', 'unknown'],
])('the networks of %s are %s and %s', (address, network, wider) => {
  expect([networkOf(address), widerNetworkOf(address)]).toEqual([network, wider])
})
