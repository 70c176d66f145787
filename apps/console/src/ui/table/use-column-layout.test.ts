import { beforeEach, expect, test } from 'vitest'
import { rememberColumns, rememberedColumns, setColumns } from './remembered-columns.ts'
import { orderColumns } from './use-column-layout.ts'

const kept = new Map<string, string>()
const nothing = { columnVisibility: {}, columnSizing: {}, columnOrder: [] }

beforeEach(() => {
  kept.clear()
  globalThis.localStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  } as Storage
})

test('hidden columns, widths and the order are remembered per table', () => {
  const chosen = { columnVisibility: { region: false }, columnSizing: { name: 240 }, columnOrder: ['region', 'name'] }
  rememberColumns('rooms', chosen)
  expect(rememberedColumns('rooms')).toEqual(chosen)
  expect(rememberedColumns('audit')).toEqual(nothing)
})

test('nothing is kept of a table that is as it was at first', () => {
  rememberColumns('rooms', { columnVisibility: { region: false }, columnSizing: {}, columnOrder: [] })
  rememberColumns('rooms', nothing)
  expect([...kept]).toEqual([])
})

test('a view sets the columns as it has them', () => {
  const chosen = { columnVisibility: { region: true, name: false }, columnSizing: {}, columnOrder: [] }
  setColumns('rooms', chosen)
  expect(rememberedColumns('rooms')).toEqual(chosen)
  setColumns('rooms', nothing)
  expect([...kept]).toEqual([])
})

test.each([
  'no JSON',
  'null',
  '[]',
  '{"columnVisibility":7,"columnSizing":"wide","columnOrder":{"0":"a"}}',
  '{"columnVisibility":{"region":"no"},"columnSizing":{"name":-5,"region":"1px","mail":1e9}}',
])('%s is passed over', (text) => {
  kept.set('roomkeeper.columns.rooms', text)
  expect(rememberedColumns('rooms')).toEqual(nothing)
})

test('columns that an order names change places among themselves; others, such as new ones, stay', () => {
  const columns = ['select', 'product', 'name', 'new', 'region', 'actions'].map((id) => ({ id }))
  const ids = (order: string[]) => orderColumns(columns, order).map(({ id }) => id)
  expect(ids([])).toEqual(['select', 'product', 'name', 'new', 'region', 'actions'])
  expect(ids(['region', 'gone', 'product', 'name'])).toEqual(['select', 'region', 'product', 'new', 'name', 'actions'])
})
