import { expect, test } from 'vitest'
import { csvOf } from './save-as.ts'

test('rows become lines, and cells with commas, quotes or line breaks are quoted', () => {
  expect(
    csvOf([
      ['Region', 'Rooms'],
      ['a, "b"\nc', 3],
    ]),
  ).toBe('Region,Rooms\r\n"a, ""b""\nc",3\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])('the text %j is no formula any more', (text) => {
  expect(csvOf([[text]]).replaceAll('"', '')).toBe(`'${text}\r\n`)
})

test('negative numbers stay numbers', () => {
  expect(csvOf([[-1]])).toBe('-1\r\n')
})
