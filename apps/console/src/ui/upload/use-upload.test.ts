import { expect, test } from 'vitest'
import { createTransferRate } from './use-upload.ts'

test('a steady transfer has its rate from the beginning', () => {
  const rate = createTransferRate(1000)
  expect(rate.note(500, 1500)).toBe(1000)
  expect(rate.note(1000, 2000)).toBe(1000)
})

test('only the last seconds count, so a transfer that becomes slow says so', () => {
  const rate = createTransferRate(0)
  for (let second = 1; second <= 10; second++) rate.note(second * 1000, second * 1000)
  for (let second = 11; second <= 16; second++) rate.note(10_000 + (second - 10) * 100, second * 1000)
  expect(rate.note(10_700, 17_000)).toBe(100)
})

test('a transfer that stands still comes down to nothing', () => {
  const rate = createTransferRate(0)
  rate.note(1000, 1000)
  rate.note(1000, 6000)
  expect(rate.note(1000, 12_000)).toBe(0)
})

test('nothing is told before any time has passed', () => {
  expect(createTransferRate(1000).note(10, 1000)).toBeNull()
})
