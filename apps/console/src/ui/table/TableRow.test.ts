import { expect, test } from 'vitest'
import { nextSlots } from './TableRow.tsx'

test('rows that stay keep their slot wherever they move', () => {
  const before = nextSlots(null, ['a', 'b', 'c'])
  const after = nextSlots(before, ['c', 'a', 'b'])
  expect([...after.byName]).toEqual([
    ['c', 2],
    ['a', 0],
    ['b', 1],
  ])
})

test('another page takes the slots of the former one over, in order', () => {
  const before = nextSlots(null, ['a', 'b', 'c'])
  expect([...nextSlots(before, ['d', 'e']).byName.values()]).toEqual([0, 1])
})

test('a row that comes in takes a slot that nobody holds', () => {
  const before = nextSlots(null, ['a', 'b', 'c'])
  const after = nextSlots(before, ['x', 'a', 'c', 'y'])
  expect([...after.byName]).toEqual([
    ['x', 1],
    ['a', 0],
    ['c', 2],
    ['y', 3],
  ])
})

test('no two rows share a slot', () => {
  let slots = nextSlots(null, ['a', 'b', 'c', 'd'])
  for (const names of [
    ['b', 'x'],
    ['x', 'y', 'b', 'z'],
    ['q', 'z'],
  ]) {
    slots = nextSlots(slots, names)
    expect(new Set(slots.byName.values()).size).toBe(names.length)
  }
})
