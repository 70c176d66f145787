import { expect, test } from 'vitest'
import { formatDuration, momentOf } from './OperationLog.tsx'

test('a line of another day has its date', () => {
  expect(momentOf(new Date().toISOString())).toMatch(/^\d\d:\d\d:\d\d$/)
  expect(momentOf('2026-03-09T12:00:00.000Z')).toMatch(/^09\.03\.2026 \d\d:\d\d:\d\d$/)
})

test.each([
  [0, '0.0 s'],
  [420, '0.4 s'],
  [9_940, '9.9 s'],
  [12_300, '12 s'],
  [59_700, '1 min 0 s'],
  [185_000, '3 min 5 s'],
  [3_599_900, '1 h 0 min'],
  [7_440_000, '2 h 4 min'],
])('%i ms is told as %s', (milliseconds, told) => {
  expect(formatDuration(milliseconds)).toBe(told)
})

test('German has a comma', () => {
  expect(formatDuration(9_500, 'de')).toBe('9,5 s')
  expect(formatDuration(12_300, 'de')).toBe('12 s')
})

test('a clock that ran backwards does not make a negative duration', () => {
  expect(formatDuration(-50)).toBe('0.0 s')
})
