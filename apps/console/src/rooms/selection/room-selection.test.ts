import type { RoomExportQuery } from '@roomkeeper/contract'
import { expect, test } from 'vitest'
import { matchSame } from './room-selection.ts'

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

test('another order matches the same rooms, another search does not', () => {
  expect(matchSame(query, { ...query, order_by: 'product', order_dir: 'desc' })).toBe(true)
  expect(matchSame(query, { ...query, search_values: ['y'] })).toBe(false)
})
