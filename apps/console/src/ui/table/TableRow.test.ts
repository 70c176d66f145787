import { expect, test } from 'vitest'
import { nextRowKeys } from './TableRow.tsx'

test('rows that stay keep their key wherever they move', () => {
  const before = nextRowKeys(null, ['a', 'b', 'c'])
  const after = nextRowKeys(before, ['c', 'a', 'b'])
  expect([...after.byName]).toEqual([
    ['c', 2],
    ['a', 0],
    ['b', 1],
  ])
})

test('another page takes the keys of the former one over, in order', () => {
  const before = nextRowKeys(null, ['a', 'b', 'c'])
  expect([...nextRowKeys(before, ['d', 'e']).byName.values()]).toEqual([0, 1])
})

test('a row that comes in takes a key that nobody holds', () => {
  const before = nextRowKeys(null, ['a', 'b', 'c'])
  const after = nextRowKeys(before, ['x', 'a', 'c', 'y'])
  expect([...after.byName]).toEqual([
    ['x', 1],
    ['a', 0],
    ['c', 2],
    ['y', 3],
  ])
})

test('no two rows share a key', () => {
  let keys = nextRowKeys(null, ['a', 'b', 'c', 'd'])
  for (const names of [
    ['b', 'x'],
    ['x', 'y', 'b', 'z'],
    ['q', 'z'],
  ]) {
    keys = nextRowKeys(keys, names)
    expect(new Set(keys.byName.values()).size).toBe(names.length)
  }
})
