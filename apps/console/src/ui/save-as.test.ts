import { expect, test } from 'vitest'
import { csvOf } from './save-as.ts'

test('rows become lines, and texts are quoted', () => {
  expect(
    csvOf([
      ['Region', 'Rooms'],
      ['a, "b"\nc', 3],
    ]),
  ).toBe('"Region","Rooms"\r\n"a, ""b""\nc",3\r\n')
})

test('for Excel they begin with a byte order mark, and have the separator of the language', () => {
  expect(csvOf([['ü;=1', 3]], 'excel-semicolon')).toBe(`\ufeff"ü;'=1";3\r\n`)
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])('the text %j is no formula any more', (text) => {
  expect(csvOf([[text]]).replaceAll('"', '')).toBe(`'${text}\r\n`)
})

test('negative numbers stay numbers', () => {
  expect(csvOf([[-1]])).toBe('-1\r\n')
})
