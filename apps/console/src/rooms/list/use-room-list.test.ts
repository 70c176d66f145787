import { expect, test } from 'vitest'
import { afterChange, afterUrlChange, type ShownSearch } from './use-room-list.ts'

const start: ShownSearch = { known: {}, shown: {}, requested: null }

test('a change is shown before the URL has it', () => {
  expect(afterChange(start, { page: 2 }).shown).toEqual({ page: 2 })
})

test('pages that come by on the way to the wanted one are not shown', () => {
  const requested = afterChange(afterChange(start, { page: 2 }), { page: 3 })
  const onTheWay = afterUrlChange(requested, { page: 2 })
  expect(onTheWay.shown).toEqual({ page: 3 })
  expect(afterUrlChange(onTheWay, { page: 3 })).toEqual({ known: { page: 3 }, shown: { page: 3 }, requested: null })
})

test('going back in the browser is followed', () => {
  const arrived = afterUrlChange(afterChange(start, { q: 'anna' }), { q: 'anna' })
  expect(afterUrlChange(arrived, {}).shown).toEqual({})
})

test('a change to what the URL already holds waits for nothing', () => {
  const there: ShownSearch = { known: { page: 2 }, shown: { page: 2 }, requested: null }
  expect(afterChange(there, { page: 2 }).requested).toBeNull()
})

test('going back before the wanted page has arrived is followed', () => {
  const requested = afterChange(afterChange(start, { page: 2 }), { page: 3 })
  const back = afterUrlChange(afterUrlChange(requested, { page: 2 }), {})
  expect(back).toEqual({ known: {}, shown: {}, requested: null })
})
