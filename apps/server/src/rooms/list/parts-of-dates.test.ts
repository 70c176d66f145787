import { expect, test } from 'vitest'
import { daysWritten, otherSpans, type Recurring, timesWritten } from './parts-of-dates.ts'

const moments = [
  '2000-01-01T00:00:00.000Z',
  '2004-02-29T23:59:59.999Z',
  '2023-12-31T20:20:20.202Z',
  '2024-05-17T14:35:27.123Z',
  '2025-05-05T05:05:05.050Z',
  '2025-10-14T03:14:35.275Z',
  '2099-12-31T23:59:59.999Z',
]
const operators = ['contains', 'starts', 'ends'] as const

function isWritten(written: string, operator: (typeof operators)[number], text: string): boolean {
  const [whole, part] = [written.toLowerCase(), text.toLowerCase()]
  if (operator === 'contains') return whole.includes(part)
  return operator === 'starts' ? whole.startsWith(part) : whole.endsWith(part)
}

/** All parts of the moments, and some that no moment has. */
const texts = [
  ...new Set([
    ...moments.flatMap((moment) =>
      Array.from({ length: 25 }, (_, start) =>
        Array.from({ length: 25 - start }, (__, more) => moment.slice(start, start + more)),
      ).flat(),
    ),
    ...['24:', '14:6', '7:7', 't1', '5t0', '13-', '-13', '-02-30', 'x', '%', '_', 'TT', 'ZZ', '  '],
  ]),
]

test('times are known by each part of their text', () => {
  for (const operator of operators) {
    for (const text of texts.filter((_, index) => index % 3 === 0 || index > texts.length - 20)) {
      const known = timesWritten(operator, text)
      if (known === null) continue
      const found = moments.filter((moment) =>
        known.some(
          ({ spans, recurring }) =>
            spans.some(({ start, end }) => start <= moment && moment < end) && comesBack(moment, recurring),
        ),
      )
      const expected = moments.filter((moment) => isWritten(moment, operator, text))
      expect(found, `${operator} ${text}`).toEqual(expected)
    }
  }
})

function comesBack(moment: string, recurring: Recurring | null): boolean {
  if (recurring === null) return true
  const since = (Date.parse(moment) % recurring.period) - recurring.offset
  return since >= 0 && since < recurring.length
}

test('days are known by each part of their text', () => {
  for (const operator of operators) {
    for (const text of [...texts.filter((_, index) => index % 19 === 0), '-05-', '05-17', 'T00', '000Z', '0']) {
      const known = daysWritten(operator, text)
      if (known === null) continue
      const days = moments.map((moment) => moment.slice(0, 10))
      const found = days.filter((day) => known.days.includes(day) !== known.areExcluded)
      const expected = days.filter((day) => isWritten(`${day}T00:00:00.000Z`, operator, text))
      expect(found, `${operator} ${text}`).toEqual(expected)
    }
  }
})

test('what is not in some spans is in the others', () => {
  const [first] = timesWritten('contains', '-02-29') ?? []
  const spans = first?.spans ?? []
  expect(spans).toHaveLength(25)
  const others = otherSpans(spans)
  expect(others).toHaveLength(26)
  for (const moment of moments) {
    const isIn = (some: typeof spans) => some.some(({ start, end }) => start <= moment && moment < end)
    expect(isIn(spans)).not.toBe(isIn(others))
  }
  expect(otherSpans(timesWritten('contains', 'Z')?.[0]?.spans ?? [])).toEqual([])
})

test('a text that nearly all days are written with, or that is in too many places, is not sent to PostgreSQL', () => {
  expect(daysWritten('contains', '5')).toBeNull()
  expect(daysWritten('contains', '20')).toEqual({ areExcluded: true, days: [] })
  expect(timesWritten('contains', '7t')).toBeNull()
})
