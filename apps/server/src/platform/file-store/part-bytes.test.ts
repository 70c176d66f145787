import { expect, it } from 'vitest'
import { partBytes } from './part-bytes.ts'

const mebibyte = 1024 ** 2
const tebibyte = 1024 ** 4

it('parts grow with a file that has too many of the usual ones, but not without end: they are in memory', () => {
  expect(partBytes(0)).toBe(32 * mebibyte)
  expect(partBytes(312 * 1024 ** 3)).toBe(32 * mebibyte)
  expect(partBytes(tebibyte)).toBe(105 * mebibyte)
  expect(partBytes(tebibyte) * 10_000).toBeGreaterThan(tebibyte)
  expect(partBytes(Number.MAX_SAFE_INTEGER)).toBe(128 * mebibyte)
})
