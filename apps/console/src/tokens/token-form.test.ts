import { expect, test } from 'vitest'
import { draftOf, errorsOf, newTokenForm } from './token-form.ts'

const now = new Date(2026, 10, 27, 12).getTime()

test('a new token can do as little as possible, for as long as the server says', () => {
  expect(draftOf({ ...newTokenForm, name: ' Nightly ' }, now)).toEqual({
    name: 'Nightly',
    role: 'CLOUD_SUPPORT',
    networks: [],
  })
})

test('networks are lines without the spaces around them; empty ones do not count', () => {
  const networks = ' 192.0.2.7 \n\n2001:db8::/32,198.51.100.0/24\n'
  expect(draftOf({ ...newTokenForm, networks }, now).networks).toEqual([
    '192.0.2.7',
    '2001:db8::/32',
    '198.51.100.0/24',
  ])
})

test('a day is included to its end, a year has 365 days', () => {
  const until = draftOf({ ...newTokenForm, lifetime: 'day', day: '28.11.2026' }, now).expiresAt ?? ''
  expect(new Date(until)).toEqual(new Date(2026, 10, 28, 23, 59, 59))
  const year = Date.parse(draftOf({ ...newTokenForm, lifetime: '365' }, now).expiresAt ?? '') - now
  expect(year).toBe(365 * 24 * 60 * 60 * 1000)
})

test.each([
  ['', 'day-unreadable'],
  ['31.02.2027', 'day-unreadable'],
  ['26.11.2026', 'token-expiry-out-of-range'],
  ['27.11.2027', 'token-expiry-out-of-range'],
  ['27.11.2026', undefined],
  ['26.11.2027', undefined],
])('the day %j is refused with %s', (day, code) => {
  expect(errorsOf({ ...newTokenForm, lifetime: 'day', day }, now).day?.code).toBe(code)
  expect(errorsOf({ ...newTokenForm, lifetime: '7', day }, now)).toEqual({})
})
