/** Texts that a region sends about its rooms can be stored and shown, or are refused. */
import { expect, it } from 'vitest'
import { databaseName, regionProblem, roomPage, routePage } from './schemas.ts'

const room = {
  name: 'alpha',
  roomId: '6b1c6d1e-9c3e-4c59-8c55-6a3c7ac1c0de',
  product: 'ARIS',
  edition: 'basic',
  state: 'active',
  locked: true,
  lock: { holder: 'migration 7', heldSince: '2026-01-01T00:00:00Z', expiresAt: '2026-01-01T00:01:00Z' },
  size: 1,
  schemaVersion: 1,
  expirationDate: null,
  databases: [],
}
const isTaken = (given: object) => roomPage.safeParse({ rooms: [{ ...room, ...given }], next: null }).success

it('a room is taken as it should be, and refused with a name, an id or a text that is none', () => {
  expect(isTaken({})).toBe(true)
  for (const name of ['', 'A', 'aaa\0', 'a'.repeat(25)]) expect(isTaken({ name })).toBe(false)
  for (const roomId of ['', 'x']) expect(isTaken({ roomId })).toBe(false)
  for (const text of ['\0', '\ud800', 'a\nb', 'a'.repeat(201)]) {
    expect(isTaken({ product: text })).toBe(false)
    expect(isTaken({ edition: text })).toBe(false)
    expect(isTaken({ lock: { ...room.lock, holder: text } })).toBe(false)
  }
})

it('a redirection is refused with a name or an address that is none', () => {
  const isRoute = (route: object) => routePage.safeParse({ routes: [route], next: null }).success
  expect(isRoute({ name: 'alpha', targetUrl: 'https://region.example' })).toBe(true)
  expect(isRoute({ name: '\0', targetUrl: 'https://region.example' })).toBe(false)
  for (const targetUrl of ['\0', '\udc00', `https://${'a'.repeat(2048)}`])
    expect(isRoute({ name: 'alpha', targetUrl })).toBe(false)
})

it('of what a region says when it refuses is left what can be stored and shown', () => {
  const said = { type: 'about:blank', title: 'No', status: 500, detail: `no\0\n\ud800${'😀'.repeat(1000)}` }
  const { detail } = regionProblem.parse(said)
  expect(detail).toMatch(/^no {2}\ufffd😀+\ufffd$/u)
  expect(detail).toHaveLength(1000)
})

it('nothing that a region says can turn the text around it, or hide in it', () => {
  const detail = 'a\u202eb\u2066c\u200bd\u2028e'
  const { data } = regionProblem.safeParse({ type: 'about:blank', title: 'No', status: 500, detail })
  expect(data?.detail).toBe('a b c d e')
})

it('a database name that is too long is refused before its accents are put in order', () => {
  expect(databaseName.parse('e\u0301'.repeat(60))).toBe('é'.repeat(60))
  expect(databaseName.safeParse(`e${'\u0301\u0323'.repeat(75_000)}`).success).toBe(false)
})
