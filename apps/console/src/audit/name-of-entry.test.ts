import i18next from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import audit from '../locales/de/audit.json' with { type: 'json' }
import { detailOf } from './name-of-entry.ts'

beforeAll(() => i18next.init({ lng: 'de', resources: { de: { audit } }, interpolation: { escapeValue: false } }))

test.each([
  ['upload.backup', 'raum, neu.zip, 1234567 bytes, SHA-256 0a1b', 'raum, neu.zip, 1,2 MB, SHA-256 0a1b'],
  ['upload.database', 'main.adb, 820 bytes, SHA-256 0a1b', 'main.adb, 820 B, SHA-256 0a1b'],
  ['room.adopt', 'found in the region fra-1', 'in der Region fra-1 gefunden'],
  ['live-migration.force-delete', 'a → b: one, two and 1 more', 'a → b: one, two und 1 weiterer'],
  ['live-migration.force-delete', 'a → b: one, two and 2 more', 'a → b: one, two und 2 weitere'],
  ['token.refused', 'revoked, from 2001:db8::7', 'widerrufen, von 2001:db8::7'],
  ['region.create', 'fra-1', 'fra-1'],
])('the detail of %s is told in German: %s', (action, detail, german) => {
  expect(detailOf({ action, detail })).toBe(german)
})
