import type { ProjectRoom, RoomExportQuery } from '@roomkeeper/contract'
import { expect, test } from 'vitest'
import { countOf, isSelected, matchSame, noRooms, rangeOf, type SelectedRooms, withRooms } from './room-selection.ts'

const room = (tenantName: string) => ({ tenantName }) as ProjectRoom
const page = ['a', 'b', 'c', 'd'].map(room)
const query: RoomExportQuery = {
  order_by: 'tenantName',
  order_dir: 'asc',
  search_keys: ['tenantName'],
  search_values: ['x'],
  search: '',
  filter_keys: [],
  filter_values: [],
  filter_conditions: [],
}

test('a range goes both ways, and is one room if it began on another page', () => {
  const names = (from: string | null, to: string) => rangeOf(page, from, room(to)).map(({ tenantName }) => tenantName)
  expect(names('b', 'd')).toEqual(['b', 'c', 'd'])
  expect(names('d', 'b')).toEqual(['b', 'c', 'd'])
  expect(names('other', 'b')).toEqual(['b'])
  expect(names(null, 'b')).toEqual(['b'])
})

test('named rooms are added and taken away; of all rooms some can be left out', () => {
  const some = withRooms(withRooms(noRooms, page, true), [room('b')], false)
  expect([countOf(some), isSelected(some, room('a')), isSelected(some, room('b'))]).toEqual([3, true, false])
  const all: SelectedRooms = { kind: 'all', query, total: 1000, except: new Set() }
  const fewer = withRooms(all, [room('b')], false)
  expect([countOf(fewer), isSelected(fewer, room('b')), isSelected(fewer, room('unseen'))]).toEqual([999, false, true])
  expect(countOf(withRooms(fewer, [room('b')], true))).toBe(1000)
})

test('another order matches the same rooms, another search does not', () => {
  expect(matchSame(query, { ...query, order_by: 'product', order_dir: 'desc' })).toBe(true)
  expect(matchSame(query, { ...query, search_values: ['y'] })).toBe(false)
})
