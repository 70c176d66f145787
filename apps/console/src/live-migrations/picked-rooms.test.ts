import { expect, test } from 'vitest'
import {
  allMatching,
  canToggle,
  countOf,
  isPicked,
  noRooms,
  type PickableRoom,
  toggled,
  toggledPage,
  wireOf,
} from './picked-rooms.ts'

const room = (projectRoomName: string, customerEmail = 'owner@example.com'): PickableRoom => ({
  projectRoomName,
  customerFirstName: 'Øyvind',
  customerLastName: "O'Neil",
  customerEmail,
})

test('rooms picked one by one are sent by name', () => {
  const picked = toggled(toggled(toggled(noRooms, room('a')), room('b')), room('a'))
  expect(isPicked(picked, room('a'))).toBe(false)
  expect(isPicked(picked, room('b'))).toBe(true)
  expect(countOf(picked)).toBe(1)
  expect(wireOf(picked)).toEqual({ selectedRooms: ['b'], allMatching: null })
})

test('all that match are sent as the search, without those that were taken out again', () => {
  const picked = toggled(allMatching('OWNER', 1200), room('b'))
  expect(countOf(picked)).toBe(1199)
  expect(isPicked(picked, room('a'))).toBe(true)
  expect(isPicked(picked, room('b'))).toBe(false)
  expect(wireOf(picked)).toEqual({ selectedRooms: ['b'], allMatching: { search: 'OWNER' } })
})

test('beside all that match, a room that does not can neither be seen as picked nor be picked', () => {
  const picked = allMatching('øyvind o', 3)
  const other: PickableRoom = { ...room('x'), customerFirstName: 'Ada' }
  expect(canToggle(picked, room('x'))).toBe(true)
  expect(canToggle(picked, other)).toBe(false)
  expect(isPicked(picked, other)).toBe(false)
  expect(toggled(picked, other)).toEqual(picked)
})

test('a page is picked whole, and given up whole when it was', () => {
  const rooms = [room('a'), room('b')]
  const one = toggled(noRooms, room('b'))
  expect([...wireOf(toggledPage(one, rooms)).selectedRooms].sort()).toEqual(['a', 'b'])
  expect(wireOf(toggledPage(toggledPage(one, rooms), rooms)).selectedRooms).toEqual([])
  expect(wireOf(toggledPage(allMatching('', 2), rooms)).selectedRooms).toEqual(['a', 'b'])
})
