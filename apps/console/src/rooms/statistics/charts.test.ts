import { expect, test } from 'vitest'
import { largestBars } from './charts.tsx'

const bars = [5, 4, 3, 2, 1].map((count) => ({ label: `r${count}`, count }))

test('few bars stay as they are', () => {
  expect(largestBars(bars, 5, String)).toEqual(bars)
})

test('of many bars the smallest become one, and nothing is lost', () => {
  const shown = largestBars(bars, 3, (count) => `${count} more`)
  expect(shown).toEqual([bars[0], bars[1], { label: '3 more', count: 6 }])
})
