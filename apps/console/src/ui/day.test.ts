import { expect, test } from 'vitest'
import { formatDay, parseDay } from './day.ts'

test.each([
  ['31.01.2027', '2027-01-31'],
  ['1.2.2027', '2027-02-01'],
  ['29.02.28', '2028-02-29'],
  [' 05.06.2030 ', '2030-06-05'],
  ['2030-06-05', '2030-06-05'],
])('%s is the day %s', (typed, day) => {
  expect(parseDay(typed)).toBe(day)
})

test.each(['', '31.02.2027', '29.02.2027', '00.01.2027', '1.13.2027', '01/02/2027', '1.2.027', 'tomorrow', '2027-2-1'])(
  '%j is no day',
  (typed) => {
    expect(parseDay(typed)).toBeNull()
  },
)

test('a day is shown as it can be typed', () => {
  expect(formatDay('2027-01-31')).toBe('31.01.2027')
  expect(parseDay(formatDay('2027-01-31'))).toBe('2027-01-31')
})
