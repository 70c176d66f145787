import { expect, test } from 'vitest'
import { afterUrlChange, afterWish, type ShownSearch } from './use-room-list.ts'

const start: ShownSearch = { seen: {}, shown: {}, wanted: null }

test('a wish is shown before the URL says it', () => {
  expect(afterWish(start, { page: 2 }).shown).toEqual({ page: 2 })
})

test('pages that come by on the way to the wanted one are not shown', () => {
  const wanted = afterWish(afterWish(start, { page: 2 }), { page: 3 })
  const onTheWay = afterUrlChange(wanted, { page: 2 })
  expect(onTheWay.shown).toEqual({ page: 3 })
  expect(afterUrlChange(onTheWay, { page: 3 })).toEqual({ seen: { page: 3 }, shown: { page: 3 }, wanted: null })
})

test('going back in the browser is followed', () => {
  const arrived = afterUrlChange(afterWish(start, { q: 'anna' }), { q: 'anna' })
  expect(afterUrlChange(arrived, {}).shown).toEqual({})
})

test('wishing for what the URL says already waits for nothing', () => {
  const there: ShownSearch = { seen: { page: 2 }, shown: { page: 2 }, wanted: null }
  expect(afterWish(there, { page: 2 }).wanted).toBeNull()
})
