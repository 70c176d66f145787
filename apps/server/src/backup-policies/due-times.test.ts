import { describe, expect, it } from 'vitest'
import { lastDue, spreadOffset } from './due-times.ts'
import { backupsWhenFull, keptBackups } from './retention.ts'

const ids = Array.from({ length: 400 }, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`)
const [id = ''] = ids

// shows: policy-when
describe('due times', () => {
  it('spread over the window', () => {
    const offsets = ids.map(spreadOffset).toSorted()
    expect([Math.min(...offsets) >= 0, Math.max(...offsets) < 1]).toEqual([true, true])
    const tenths = Array.from(
      { length: 10 },
      (_, n) => offsets.filter((offset) => Math.floor(offset * 10) === n).length,
    )
    expect(Math.min(...tenths)).toBeGreaterThan(15)
  })

  it('lie in the window of the day, also when it crosses midnight', () => {
    const schedule = { every: 'day', at: '22:00', windowHours: 6 } as const
    for (const each of ids) {
      const due = lastDue(schedule, each, new Date('2026-03-02T12:00:00Z')).toISOString()
      expect(due >= '2026-03-01T22:00:00.000Z' && due < '2026-03-02T04:00:00.000Z').toBe(true)
    }
  })

  it('are at the same moment of each week, on its weekday', () => {
    const schedule = { every: 'week', weekday: 3, at: '01:30', windowHours: 1 } as const
    const [one, two] = [new Date('2026-03-05T00:00:00Z'), new Date('2026-03-12T00:00:00Z')]
    const [first, second] = [lastDue(schedule, id, one), lastDue(schedule, id, two)]
    expect(second.getTime() - first.getTime()).toBe(7 * 86_400_000)
    expect(first.toISOString().slice(0, 10)).toBe('2026-03-04')
  })

  it('with hours are that far apart, and never in the future', () => {
    const schedule = { every: 'hours', hours: 6 } as const
    for (const each of ids) {
      const now = new Date('2026-03-05T07:00:00Z')
      const due = lastDue(schedule, each, now)
      expect(now.getTime() - due.getTime()).toBeLessThan(6 * 3_600_000)
      expect(due.getTime()).toBeLessThanOrEqual(now.getTime())
      expect(lastDue(schedule, each, new Date(due.getTime() - 1)).getTime()).toBe(due.getTime() - 6 * 3_600_000)
    }
  })
})

// shows: policy-kept
describe('retention', () => {
  const backup = (createdAt: string) => ({ id: createdAt, createdAt })
  it('keeps the newest of each day, ISO week and month', () => {
    const backups = ['2026-01-01', '2026-01-31', '2026-02-28', '2026-03-01', '2026-03-02', '2026-03-03']
      .flatMap((day) => [`${day}T01:00:00.000Z`, `${day}T23:00:00.000Z`])
      .map(backup)
    const kept = (keep: Parameters<typeof keptBackups>[1]) => [...keptBackups(backups, keep)].sort()
    expect(kept({ daily: 2, weekly: 0, monthly: 0 })).toEqual(['2026-03-02T23:00:00.000Z', '2026-03-03T23:00:00.000Z'])
    // Sunday, the first of March, is the last day of its week.
    expect(kept({ daily: 0, weekly: 2, monthly: 0 })).toEqual(['2026-03-01T23:00:00.000Z', '2026-03-03T23:00:00.000Z'])
    expect(kept({ daily: 0, weekly: 0, monthly: 9 })).toEqual([
      '2026-01-31T23:00:00.000Z',
      '2026-02-28T23:00:00.000Z',
      '2026-03-03T23:00:00.000Z',
    ])
  })

  it('days without a backup do not count', () => {
    const backups = ['2025-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'].map(backup)
    expect(keptBackups(backups, { daily: 2, weekly: 0, monthly: 0 }).size).toBe(2)
  })

  it('says how many a room has when it is full', () => {
    const now = new Date('2026-03-12T12:00:00Z')
    const daily = { every: 'day', at: '00:00', windowHours: 1 } as const
    expect(backupsWhenFull(daily, { daily: 7, weekly: 0, monthly: 0 }, now)).toBe(7)
    expect(backupsWhenFull({ every: 'hours', hours: 1 }, { daily: 7, weekly: 0, monthly: 0 }, now)).toBe(7)
    // The newest is that of its week and of its month, too; so is last Sunday's among the last seven days.
    expect(backupsWhenFull(daily, { daily: 7, weekly: 4, monthly: 12 }, now)).toBe(7 + 2 + 11)
  })
})
