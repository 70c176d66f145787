import { expect, test } from 'vitest'
import { allMatching, countOf, noneSelected, withRows } from '#ui/table/selected-rows.ts'
import { canPick, migrationSelectionOf, type PickableRoom } from './picked-rooms.ts'

const room = (projectRoomName: string, customerEmail = 'owner@example.com'): PickableRoom => ({
  projectRoomName,
  customerFirstName: 'Øyvind',
  customerLastName: "O'Neil",
  customerEmail,
})

test('rooms picked one by one are sent by name', () => {
  const picked = withRows(withRows(noneSelected, ['a', 'b'], true), ['a'], false)
  expect(countOf(picked)).toBe(1)
  expect(migrationSelectionOf(picked)).toEqual({ selectedRooms: ['b'], allMatching: null })
})

test('all that match are sent as the search, without those that were taken out again', () => {
  const picked = withRows(allMatching('OWNER', 1200), ['b'], false)
  expect(countOf(picked)).toBe(1199)
  expect(migrationSelectionOf(picked)).toEqual({ selectedRooms: ['b'], allMatching: { search: 'OWNER' } })
})

test('beside all that match, a room that does not cannot be picked', () => {
  const picked = allMatching('øyvind o', 3)
  expect(canPick(picked, room('x'))).toBe(true)
  expect(canPick(picked, { ...room('x'), customerFirstName: 'Ada' })).toBe(false)
  expect(canPick(noneSelected, { ...room('x'), customerFirstName: 'Ada' })).toBe(true)
})
