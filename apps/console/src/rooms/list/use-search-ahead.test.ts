import { expect, test } from 'vitest'
import { afterChange, afterUrlChange, type SearchPath, shownOf } from './use-search-ahead.ts'

const start: SearchPath = [{}]

test('a change is shown before the URL has it', () => {
  expect(shownOf(afterChange(start, { page: 2 }))).toEqual({ page: 2 })
})

test('pages that come by on the way to the wanted one are not shown', () => {
  const requested = afterChange(afterChange(start, { page: 2 }), { page: 3 })
  const onTheWay = afterUrlChange(requested, { page: 2 })
  expect(shownOf(onTheWay)).toEqual({ page: 3 })
  expect(afterUrlChange(onTheWay, { page: 3 })).toEqual([{ page: 3 }])
})

test('going back in the browser is followed', () => {
  const arrived = afterUrlChange(afterChange(start, { q: 'anna' }), { q: 'anna' })
  expect(shownOf(afterUrlChange(arrived, {}))).toEqual({})
})

test('a change to what the URL already holds waits for nothing', () => {
  expect(afterChange([{ page: 2 }], { page: 2 })).toEqual([{ page: 2 }])
})

test('going back before the wanted page has arrived is followed', () => {
  const requested = afterChange(afterChange(start, { page: 2 }), { page: 3 })
  expect(afterUrlChange(afterUrlChange(requested, { page: 2 }), {})).toEqual([{}])
})
