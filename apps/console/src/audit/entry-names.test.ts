import { because, type CodedReason } from '@roomkeeper/contract'
import i18next from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import activity from '../locales/de/activity.json' with { type: 'json' }
import audit from '../locales/de/audit.json' with { type: 'json' }
import errors from '../locales/de/errors.json' with { type: 'json' }
import operations from '../locales/de/operations.json' with { type: 'json' }
import { detailBeside, detailOf, sentenceOf } from './entry-names.ts'

beforeAll(() =>
  i18next.init({
    lng: 'de',
    resources: { de: { activity, audit, errors, operations } },
    interpolation: { escapeValue: false },
  }),
)

const finding: CodedReason = { code: 'finding-room-missing', params: { region: 'fra-1', room: 'one' } }

test.each([
  [
    because('audit-uploaded', { file: 'raum, neu.zip', bytes: 1_234_567, digest: '0a1b' }),
    'raum, neu.zip, 1.234.567 Bytes, SHA-256 0a1b',
  ],
  [because('audit-found-in', { region: 'fra-1' }), 'in der Region fra-1 gefunden'],
  [because('audit-and-more', { way: 'a → b', rooms: 'one, two', more: 1 }), 'a → b: one, two und 1 weiterer'],
  [because('audit-and-more', { way: 'a → b', rooms: 'one, two', more: 2 }), 'a → b: one, two und 2 weitere'],
  [because('audit-token-revoked', { address: '2001:db8::7' }), 'widerrufen, von 2001:db8::7'],
  [because('audit-reminder', { days: 30, day: '27.12.2026' }), '30 Tage vor dem 27.12.2026'],
  [because('audit-process', { process: 'Backup PR' }), operations.processes['Backup PR']],
  [
    because('audit-repair-mark-missing', { reason: finding }),
    'Als fehlend markieren: Die Region fra-1 hat den Projektraum one nicht.',
  ],
])('a detail is told in German: %j', (reason, german) => {
  expect(detailOf({ detail: 'In English.', detailReasons: [reason] })).toBe(german)
})

test('a name, and what only a newer server can say, is shown as it is', () => {
  expect(detailOf({ detail: 'fra-1', detailReasons: [] })).toBe('fra-1')
  expect(detailOf({ detail: 'In English.', detailReasons: [{ code: 'audit-new', params: {} }] })).toBe('In English.')
})

const entry = { action: 'room.edit', operationId: null, outcome: null, room: 'acme', detail: null, detailReasons: [] }
const failed = { state: 'failed', errorText: null, errorReasons: [] } as const

test.each([
  [entry, null, 'Sie haben \u0000 geändert'],
  [entry, 'ada@example.com', 'ada@example.com hat \u0000 geändert'],
  [{ ...entry, action: 'region.edit', room: null, detail: 'fra-1' }, null, 'Sie haben die Region fra-1 geändert'],
  [{ ...entry, action: 'room.suspend', operationId: 'o', outcome: failed }, null, 'Sie: Anhalten \u0000'],
  [{ ...entry, action: 'room.new' }, 'ada@example.com', 'ada@example.com hat room.new \u0000'],
])('what was done is a sentence: %j', (done, who, german) => {
  expect(sentenceOf(done, who)).toBe(german)
})

test('what the sentence says is not said again beside it', () => {
  expect(detailBeside({ ...entry, action: 'region.edit', detail: 'fra-1' })).toBeNull()
  expect(detailBeside({ ...entry, action: 'upload.backup', detail: 'raum.zip' })).toBe('raum.zip')
})
