import { expect, test } from 'vitest'
import { formatBytes } from './format.ts'

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
