import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createEmptyDatabase, openTestPool } from '../../../test/test-database.ts'
import { isoTimeOf } from './iso-time.ts'

const pool = openTestPool({ connectionString: await createEmptyDatabase(), max: 1 })
afterAll(() => pool.end())

const given = [
  '2026-05-01 10:20:30.456789',
  '2026-05-01 10:20:30.4',
  '2026-05-01 10:20:30',
  '1999-12-31 23:59:59.999999',
  '1970-01-02 00:00:00.000001',
  '9999-12-30 23:59:59.9995',
]

test('times are read as JavaScript reads them, whatever the time zone of the connection', async () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata']) {
    await pool.query(`set timezone to '${zone}'`)
    const { rows } = await pool.query<{ text: string; milliseconds: string }>(
      `select time::text as text, floor(extract(epoch from time) * 1000) as milliseconds
       from (select (each || '+00')::timestamptz as time from unnest($1::text[]) as each) as times`,
      [given],
    )
    expect(rows).toHaveLength(given.length)
    for (const { text, milliseconds } of rows)
      expect(isoTimeOf(text)).toBe(new Date(Number(milliseconds)).toISOString())
  }
})

test('every time of four digits is written as Date would write it', () => {
  const between = { min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }
  fc.assert(
    fc.property(
      fc.date(between),
      fc.integer({ min: 0, max: 6 }),
      fc.constantFrom('+00', '+02', '-05:30'),
      (at, digits, zone) => {
        const [day, time = ''] = at.toISOString().slice(0, -1).split('T')
        const fraction = time.slice(9).padEnd(6, '7').slice(0, digits).replace(/0+$/, '')
        const text = `${day} ${time.slice(0, 8)}${fraction === '' ? '' : `.${fraction}`}${zone}`
        expect(isoTimeOf(text)).toBe(new Date(text).toISOString())
      },
    ),
  )
})

test.each(['infinity', '-infinity', ''])('%j is no time', (text) => {
  expect(() => isoTimeOf(text)).toThrow(RangeError)
})

test.each(['0044-03-15 12:00:00+00 BC', '12026-05-01 10:20:30.5+00'])('%s is read by Date', (text) => {
  expect(outcome(() => isoTimeOf(text))).toBe(outcome(() => new Date(text).toISOString()))
})

function outcome(read: () => string): string {
  try {
    return read()
  } catch (error) {
    return String(error)
  }
}
