import { expect, test } from 'vitest'
import { activityQueryOf, byDay, parseActivitySearch } from './activity-search.ts'

const now = new Date(2026, 10, 30, 9, 40)

test('the page opens on changes; presets and links narrow it', () => {
  expect(activityQueryOf({}, 'ada@example.com', now)).toEqual({ kinds: ['changes'], room: '', customer: '' })
  const search = parseActivitySearch({ kinds: 'system,nothing,sign-ins', mine: true, today: true, room: 'acme' })
  expect(activityQueryOf(search, 'ada@example.com', now)).toEqual({
    kinds: ['sign-ins', 'system'],
    room: 'acme',
    customer: '',
    actor: 'ada@example.com',
    from: new Date(2026, 10, 30).toISOString(),
  })
})

test('entries stand below their day, of which today is always there', () => {
  const at = (day: number, hour: number) => ({ at: new Date(2026, 10, day, hour).toISOString() })
  const entries = [at(29, 23), at(29, 0), at(27, 12)]
  expect(byDay(entries, now).map(({ day, entries: of }) => [day.getDate(), of.length])).toEqual([
    [30, 0],
    [29, 2],
    [27, 1],
  ])
})
