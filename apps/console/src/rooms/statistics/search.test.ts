import { expect, test } from 'vitest'
import { pageQueryOf } from '../list/list-request.ts'
import { chartsQuery, statisticsQuery } from './queries.ts'
import { isFiltered, parseStatisticsSearch, withoutFilter } from './search.ts'

// shows: statistics-rows
test('without any filter only active and suspended rooms are asked for', () => {
  const { filter_keys, filter_values, filter_conditions, page, size } = pageQueryOf({}, 20, statisticsQuery({}))
  expect({ filter_keys, filter_values, filter_conditions }).toEqual({
    filter_keys: ['projectRoomState'],
    filter_values: ['SUSPENDED||DEFAULT'],
    filter_conditions: ['EQUALS'],
  })
  expect([page, size]).toEqual([0, 20])
})

test('each dropdown adds its filter, as the numbers of the wire', () => {
  const search = { product: 'ARIS', edition: 'basic', channel: 'online-shop', region: 7, status: 'active' } as const
  expect(chartsQuery(search)).toEqual({
    search_keys: [],
    search_values: [],
    search: '',
    filter_keys: ['projectRoomState', 'product', 'edition', 'productType', 'region'],
    filter_values: ['DEFAULT', '0', '0', '2', '7'],
    filter_conditions: ['EQUALS', 'EQUALS', 'EQUALS', 'EQUALS', 'EQUALS'],
  })
})

test('what the URL says is read; what cannot be understood is left out', () => {
  const read = parseStatisticsSearch({
    product: 'MINING',
    edition: 'gold',
    region: '3',
    status: 'active',
    q: 12,
    page: 2,
  })
  expect(read).toEqual({ product: 'MINING', region: 3, status: 'active', q: '12', page: 2 })
  expect(parseStatisticsSearch({ region: '0', charts: 'yes', hideFailed: true, channel: 'none' })).toEqual({})
})

test('Reset filter keeps order, rows per page and charts', () => {
  const search = { q: 'a', in: 'email', product: 'ARIS', page: 3, size: 40, sort: 'edition', dir: 'asc' } as const
  expect(isFiltered(search)).toBe(true)
  const reset = withoutFilter(search)
  expect(reset).toEqual({ size: 40, sort: 'edition', dir: 'asc' })
  expect(isFiltered(reset)).toBe(false)
})
