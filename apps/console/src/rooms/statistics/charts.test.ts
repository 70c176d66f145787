import { expect, test } from 'vitest'
import { largestBars, monthsPerLabel, ticksUpTo } from './charts.tsx'

const bars = [5, 4, 3, 2, 1].map((count) => ({ label: `r${count}`, count }))

test('few bars stay as they are', () => {
  expect(largestBars(bars, 5, String)).toEqual(bars)
})

test('of many bars the smallest become one, and nothing is lost', () => {
  const shown = largestBars(bars, 3, (count) => `${count} more`)
  expect(shown).toEqual([bars[0], bars[1], { label: '3 more', count: 6 }])
})

test('at most five months have a label, parts of a year or whole years apart', () => {
  expect([1, 5, 6, 11, 15, 16, 30, 31, 60, 61].map(monthsPerLabel)).toEqual([1, 1, 2, 3, 3, 6, 6, 12, 12, 24])
})

test('the numbers beside the months are round, and at most five', () => {
  expect(ticksUpTo(0)).toEqual([0, 1])
  expect(ticksUpTo(3)).toEqual([0, 1, 2, 3])
  expect(ticksUpTo(7)).toEqual([0, 2, 4, 6, 8])
  expect(ticksUpTo(40)).toEqual([0, 10, 20, 30, 40])
  expect(ticksUpTo(91_000)).toEqual([0, 50_000, 100_000])
})
