import { beforeEach, expect, it } from 'vitest'
import { createGuessCounter } from './unknown-tokens.ts'

let now: number
let count: (address: string) => number | null
beforeEach(() => {
  now = 5
  count = createGuessCounter(() => now)
})

const countMany = (times: number, address: string) => Array.from({ length: times }, () => count(address)).at(-1)
const minute = 60_000

it('finds 20 guesses from one network within 15 minutes enough, until these are over', () => {
  expect(countMany(20, '192.0.2.1')).toBeNull()
  expect(count('192.0.2.200')).toBe(15)
  now += 14.5 * minute
  expect(count('192.0.2.1')).toBe(1)
  expect(count('192.0.3.1')).toBeNull()
  now += 0.5 * minute
  expect(count('192.0.2.1')).toBeNull()
})

it('takes all addresses of an IPv6 /48 for one network', () => {
  for (let n = 0; n < 20; n += 1) expect(count(`2001:db8:1:${n}::1`)).toBeNull()
  expect(count('2001:db8:1:ffff::1')).toBe(15)
  expect(count('2001:db8:2::1')).toBeNull()
})

it('remembers 10,000 networks at most: the one that began first is forgotten', () => {
  countMany(21, '2001:db8::1')
  const others = (amount: number, from: number) => {
    for (let n = 0; n < amount; n += 1) count(`2001:${(from + n).toString(16)}:1::1`)
  }
  others(9_998, 0x1000)
  expect(count('2001:db8::1')).toBe(15)
  others(2, 0x8000)
  expect(count('2001:db8::1')).toBeNull()
})
