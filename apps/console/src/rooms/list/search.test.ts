import { expect, test, vi } from 'vitest'
import { pageQueryOf, roomQueryOf } from './list-request.ts'
import { isNarrowed, parseRoomsSearch, type RoomsSearch, sortOf } from './search.ts'

const listQueryOf = (search: RoomsSearch) => pageQueryOf(search, 20, roomQueryOf(search))

test('an empty URL asks for the first page by name, descending', () => {
  expect(listQueryOf(parseRoomsSearch({}))).toEqual({
    page: 0,
    size: 20,
    totals: 'if-quick',
    order_by: 'tenantName',
    order_dir: 'desc',
    search_keys: [],
    search_values: [],
    search: '',
    filter_keys: [],
    filter_values: [],
    filter_conditions: [],
  })
})

test('what a URL holds wrongly is left out', () => {
  const wild = { page: '-3', size: 7, sort: 'password', dir: 'up', q: '  ', in: 'everything', hideFailed: 'maybe' }
  expect(parseRoomsSearch(wild)).toEqual({})
})

test('a page in the URL counts from 1, on the wire from 0', () => {
  expect(listQueryOf(parseRoomsSearch({ page: 3, size: 60 }))).toMatchObject({ page: 2, size: 60 })
})

test('a search for digits stays a text', () => {
  expect(parseRoomsSearch({ q: 2027 })).toEqual({ q: '2027' })
})

test('the region sorts as region and the state as projectRoomState', () => {
  expect(roomQueryOf({ sort: 'regionName' })).toMatchObject({ order_by: 'region', order_dir: 'asc' })
  expect(roomQueryOf({ sort: 'state', dir: 'desc' })).toMatchObject({
    order_by: 'projectRoomState',
    order_dir: 'desc',
  })
})

test('the month of creation is a filter from its first day up to the next month', () => {
  expect(parseRoomsSearch({ created: '2026-13' })).toEqual({})
  expect(roomQueryOf(parseRoomsSearch({ created: '2026-12' }))).toMatchObject({
    filter_keys: ['creationDate', 'creationDate'],
    filter_values: ['2026-12-01', '2027-01-01'],
    filter_conditions: ['GTE', 'BEFORE'],
  })
})

test('every searched field gets the same trimmed text', () => {
  expect(roomQueryOf({ q: ' anna ' })).toMatchObject({
    search_keys: [],
    search_values: [],
    search: 'anna',
  })
  expect(roomQueryOf({ q: 'anna', in: 'customer' }).search_keys).toEqual(['customerFirstName', 'customerLastName'])
})

test('why rooms are in error is asked as failureCause', () => {
  expect(roomQueryOf(parseRoomsSearch({ status: 'ERROR', cause: 'other,no-space,broken' }))).toMatchObject({
    filter_keys: ['projectRoomState', 'failureCause'],
    filter_values: ['ERROR', 'no-space||other'],
    filter_conditions: ['EQUALS', 'EQUALS'],
  })
})

// shows: list-hide-failed
test('hiding failed tenants filters out the state ERROR', () => {
  expect(roomQueryOf({ hideFailed: true })).toMatchObject({
    filter_keys: ['projectRoomState'],
    filter_values: ['ERROR'],
    filter_conditions: ['NOT_EQUALS'],
  })
})

test('days until a room expires are counted in UTC, wherever the operator is', () => {
  vi.useFakeTimers({ now: new Date('2026-11-23T20:00:00Z') })
  vi.stubEnv('TZ', 'Asia/Tokyo')
  try {
    expect(new Date().getDate()).toBe(24)
    expect(roomQueryOf({ expires: 30 }).filter_values).toEqual(['2026-11-23', '2026-12-23'])
    expect(roomQueryOf({ expires: 'past' })).toMatchObject({
      filter_values: ['2026-11-23'],
      filter_conditions: ['BEFORE'],
    })
  } finally {
    vi.unstubAllEnvs()
    vi.useRealTimers()
  }
})

test('a column that was clicked first sorts ascending', () => {
  expect(sortOf({ sort: 'tenantName' })).toEqual({ column: 'tenantName', dir: 'asc' })
})

test('only a search or a filter narrows the list, not its sort or page', () => {
  expect(isNarrowed({ page: 4, sort: 'edition' })).toBe(false)
  expect(isNarrowed({ q: 'x' })).toBe(true)
  expect(isNarrowed({ hideFailed: true })).toBe(true)
})

test('labels of a URL are whole and none is empty, which would be the rooms without labels', () => {
  expect(parseRoomsSearch({ labels: 'VIP, ,Pilot customer,' })).toEqual({ labels: 'VIP,Pilot customer' })
  expect(parseRoomsSearch({ labels: 'VIP||' })).toEqual({})
  expect(parseRoomsSearch({ labels: ',' })).toEqual({})
  expect(roomQueryOf(parseRoomsSearch({ labels: 2027 })).filter_values).toEqual(['2027'])
  const labels = Array.from({ length: 40 }, (_, index) => `${index}`.padEnd(39, 'x'))
  expect(parseRoomsSearch({ labels: labels.join() })).toEqual({ labels: labels.slice(0, 25).join() })
})
