import { expect, test } from 'vitest'
import { allMatching, countOf, isSelected, noneSelected, rangeOf, withRows } from './selected-rows.ts'

const page = ['a', 'b', 'c', 'd']

test('a range goes both ways, and is one row if it began on another page', () => {
  expect(rangeOf(page, 'b', 'd')).toEqual(['b', 'c', 'd'])
  expect(rangeOf(page, 'd', 'b')).toEqual(['b', 'c', 'd'])
  expect(rangeOf(page, 'other', 'b')).toEqual(['b'])
  expect(rangeOf(page, null, 'b')).toEqual(['b'])
})

test('named rows are added and taken away; of all rows some can be left out', () => {
  const some = withRows(withRows(noneSelected, page, true), ['b'], false)
  expect([countOf(some), isSelected(some, 'a'), isSelected(some, 'b')]).toEqual([3, true, false])
  const fewer = withRows(allMatching('x', 1000), ['b'], false)
  expect([countOf(fewer), isSelected(fewer, 'b'), isSelected(fewer, 'unseen')]).toEqual([999, false, true])
  expect(countOf(withRows(fewer, ['b'], true))).toBe(1000)
})
