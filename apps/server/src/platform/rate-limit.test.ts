import { beforeEach, expect, it } from 'vitest'
import { createCallLimit } from './rate-limit.ts'

let now: number
let take: (who: string) => number | null
beforeEach(() => {
  now = 1000
  take = createCallLimit({ perSecond: 2, burst: 4 }, () => now)
})

const takeMany = (calls: number, who = 'one') => Array.from({ length: calls }, () => take(who))

it('lets a burst in, then so many a second', () => {
  expect(takeMany(5)).toEqual([null, null, null, null, 1])
  now += 500
  expect(takeMany(2)).toEqual([null, 1])
  now += 1500
  expect(takeMany(4)).toEqual([null, null, null, 1])
})

it('lets in no more than a burst after a long time', () => {
  takeMany(5)
  now += 1_000_000
  expect(takeMany(5)).toEqual([null, null, null, null, 1])
})

it('names a time after which there is a call', () => {
  const slow = createCallLimit({ perSecond: 0.2, burst: 1 }, () => now)
  slow('one')
  const seconds = slow('one')
  expect(seconds).toBe(5)
  now += 4900
  expect(slow('one')).toBe(1)
  now += 100
  expect(slow('one')).toBeNull()
})

it('counts each caller alone, also after others have come and gone', () => {
  takeMany(5)
  for (let n = 0; n < 1000; n += 1) expect(take(`other ${n}`)).toBeNull()
  expect(take('one')).toBe(1)
})
