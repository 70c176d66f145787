import { describe, expect, it } from 'vitest'
import { estimateSeconds, paceOf, usualPace } from './estimate-seconds.ts'

const mebibyte = 1024 * 1024
const move = (mebibytes: number, seconds: number) => ({ bytes: mebibytes * mebibyte, seconds })

describe('the estimate', () => {
  it('is the usual pace until five moves were measured', () => {
    expect(paceOf([])).toEqual(usualPace)
    expect(paceOf(Array.from({ length: 4 }, () => move(1, 100)))).toEqual(usualPace)
    expect(estimateSeconds(usualPace, 200 * mebibyte)).toBe(15)
  })

  it('follows moves that took 3 seconds and another for each 10 MiB', () => {
    const pace = paceOf([0, 10, 50, 100, 500].map((size) => move(size, 3 + size / 10)))
    expect(estimateSeconds(pace, 0)).toBe(3)
    expect(estimateSeconds(pace, 1000 * mebibyte)).toBeCloseTo(103, -1)
  })

  it('of a large room is not stretched from small ones', () => {
    const pace = paceOf([0.1, 0.11, 0.12, 0.1, 0.13].map((size, index) => move(size, 2 + index / 10)))
    expect(estimateSeconds(pace, 0.1 * mebibyte)).toBe(3)
    expect(estimateSeconds(pace, 1000 * mebibyte)).toBeLessThan(60)
  })

  it('never lets a larger room take less time', () => {
    const pace = paceOf([1, 10, 50, 100, 500].map((size) => move(size, 600 - size)))
    expect(estimateSeconds(pace, 600 * mebibyte)).toBeGreaterThan(estimateSeconds(pace, 1 * mebibyte))
  })
})
