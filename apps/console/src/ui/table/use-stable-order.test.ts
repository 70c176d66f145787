import { expect, test } from 'vitest'
import { inFormerOrder } from './use-stable-order.ts'

const row = (id: string, version = 1) => ({ id, version })
const idOf = ({ id }: { id: string }) => id

test('rows keep their places and take their newest content', () => {
  const held = inFormerOrder([row('a'), row('b'), row('c')], [row('c', 2), row('a', 2), row('b', 2)], idOf)
  expect(held.rows).toEqual([row('a', 2), row('b', 2), row('c', 2)])
  expect(held.changes).toBe(3)
  expect(held.gone.size).toBe(0)
})

test('a row that is gone keeps its place, and a new one waits', () => {
  const held = inFormerOrder([row('a'), row('b')], [row('new'), row('b', 2)], idOf)
  expect(held.rows).toEqual([row('a'), row('b', 2)])
  expect([...held.gone]).toEqual(['a'])
  expect(held.changes).toBe(1)
})

test('rows that only changed are no change of order', () => {
  expect(inFormerOrder([row('a')], [row('a', 2)], idOf).changes).toBe(0)
})
