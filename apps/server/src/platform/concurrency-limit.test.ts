import { expect, it } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { networkOf, widerNetworkOf } from './network-of.ts'

it('nobody fills the queue alone: others still get into it', async () => {
  const limit = createConcurrencyLimit(1, 4, 2)
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const take = (owner: string) =>
    limit
      .run(() => gate, owner)
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
