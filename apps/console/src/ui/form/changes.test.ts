import { expect, test } from 'vitest'
import { withChanges } from './changes.ts'

test('fields that differ from what was sent stay, also in a group; all others take the answer', () => {
  const sent = { name: ' a ', note: '', counts: { one: 1, two: 2 }, tags: [1], day: null as string | null }
  const now = { ...sent, note: 'typed meanwhile', counts: { one: 1, two: 9 }, day: '2030-01-01' }
  const stored = { name: 'a', note: 'x', counts: { one: 5, two: 6 }, tags: [1, 2], day: null }
  expect(withChanges(stored, sent, now)).toEqual({
    name: 'a',
    note: 'typed meanwhile',
    counts: { one: 5, two: 9 },
    tags: [1, 2],
    day: '2030-01-01',
  })
  expect(withChanges(stored, sent, sent)).toEqual(stored)
})
