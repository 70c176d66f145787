import { expect, test } from 'vitest'
import { formatBytes, formatDuration, formatRecent } from './format.ts'

test.each([
  [0, '0 B'],
  [1, '1 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [1449, '1.4 kB'],
  [9_949, '9.9 kB'],
  [9_951, '10 kB'],
  [35_400_000, '35 MB'],
  [999_600, '1.0 MB'],
  [2_000_000_000, '2.0 GB'],
  [20 * 1024 ** 3, '21 GB'],
  [5e15, '5,000 TB'],
])('%i bytes are shown as %s', (bytes, shown) => {
  expect(formatBytes(bytes)).toBe(shown)
})

test('German has a comma', () => {
  expect(formatBytes(1449, 'de')).toBe('1,4 kB')
})

test('a line of another day has its date', () => {
  expect(formatRecent(new Date().toISOString())).toMatch(/^\d\d:\d\d:\d\d$/)
  expect(formatRecent('2026-03-09T12:00:00.000Z')).toMatch(/^09\.03\.2026 \d\d:\d\d:\d\d$/)
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

test('a German duration has a comma', () => {
  expect(formatDuration(9_500, 'de')).toBe('9,5 s')
  expect(formatDuration(12_300, 'de')).toBe('12 s')
})

test('a language whose name is no language tag has the numbers of English', () => {
  expect(formatBytes(1449, 'our-own-words')).toBe('1.4 kB')
  expect(formatDuration(9_500, 'our-own-words')).toBe('9.5 s')
})

test('a clock that ran backwards does not make a negative duration', () => {
  expect(formatDuration(-50)).toBe('0.0 s')
})
