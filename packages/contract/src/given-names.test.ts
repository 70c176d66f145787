import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { backupPolicyDraft } from './backup-policies.ts'
import { fieldErrorsOf } from './field-errors.ts'
import { operatorChange } from './operators.ts'
import { asLine, asLines, asSearched, withHiddenMarked } from './plain-text.ts'
import { regionDraft } from './regions.ts'
import { email } from './room-fields.ts'
import { routes } from './routes.ts'
import { credentials } from './sessions.ts'
import { tokenDraft } from './tokens.ts'
import { viewDraft } from './views.ts'
import { webhookDraft } from './webhooks.ts'

const names: [string, z.ZodType][] = [
  ['an API token', tokenDraft.shape.name],
  ['a webhook', webhookDraft.shape.name],
  ['a view', viewDraft.shape.name],
  ['a backup policy', backupPolicyDraft.shape.name],
  ['an operator', operatorChange.shape.name],
  ['a region', regionDraft.shape.regionName],
  ['the user of a region', regionDraft.shape.userName],
]

describe.each(names)('the name of %s', (_, schema) => {
  test('is one line that says what it shows', () => {
    // Of terminals, of lines and paragraphs, and of the direction in which is written.
    for (const hidden of [
      '\u001b]0;pwned\u0007',
      '\n',
      '\t',
      '\u0085',
      '\u2028',
      '\u2029',
      '\u202e',
      '\u2066',
      '\u200f',
      // Of no width.
      '\u200b',
      '\u2060',
      '\u00ad',
      '\ufeff',
      '\u{e0041}',
      // Where no script needs them.
      '\u200d',
      '\ufe0f',
    ]) {
      const { error } = schema.safeParse(`CI${hidden}nightly`)
      expect(error && fieldErrorsOf(error), JSON.stringify(hidden)).toMatchObject([
        { code: 'text-has-control-characters' },
      ])
    }
  })

  test('may be of any language', () => {
    for (const name of [
      'Nächtlicher Export (Köln)',
      '夜間バックアップ',
      'نسخ احتياطي',
      'نسخه\u200cها',
      'क्\u200dष',
      '葛\u{e0100}城',
      '👩‍💻 ❤️ builds',
    ])
      expect(schema.parse(` ${name} `)).toBe(name)
  })
})

test('what nobody sees is left out of lines and named where it matters', () => {
  expect(asLine(' So\u0308hne\u200b\n&\u2028Co\u00ad\u0085KG\u202e\u0007')).toBe(' Söhne & Co KG')
  expect(asLine('\u3164\u2060')).toBe('')
  expect(asLines('o\u0308\r\n\tb\u200b\u0007')).toBe('ö\r\n\tb')
  expect(withHiddenMarked('olga\u200b@example.com')).toBe('olga⟨U+200B⟩@example.com')
  expect(withHiddenMarked('a\u{e0041}b 👩‍💻\r\nc')).toBe('a⟨U+E0041⟩b 👩‍💻\r\nc')
  expect(regionDraft.shape.userName.parse('u\u0308')).toBe('ü')
  const { error } = operatorChange.shape.email.safeParse('bob@example.org\u200bx')
  expect(error && fieldErrorsOf(error)).toEqual([
    { field: '', code: 'text-has-control-characters', params: { character: 'U+200B' } },
  ])
})

// Without a limit, each of them takes half a minute and more.
test('a long row of accents is cut before it is put in order, and passwords are refused as they are', () => {
  const accents = '\u0301\u0323'.repeat(75_000)
  for (const tidy of [asLine, asLines, asSearched]) expect(tidy(`e${accents}`).length, tidy.name).toBeLessThan(32)
  expect(asLine('e\u0301\u0323')).toBe('ẹ\u0301')
  const given = `e${accents}@example.com`
  for (const schema of [credentials.shape.email, operatorChange.shape.email, email('email-missing')])
    expect(schema.parse(given).length).toBeLessThan(50)
  for (const [, name] of names) expect(name.safeParse(given).success).toBe(true)
  const { body } = routes.importDatabase
  const { error } = body.safeParse({ dbName: `a${accents}`, dbPassword: accents, file: 'a.adb', roomName: 'acme' })
  expect(error && fieldErrorsOf(error).map(({ field }) => field)).toEqual(['dbPassword'])
})

test('a long list of labels is refused before its labels are compared', () => {
  const { body } = routes.labelRoom
  const labels = Array.from({ length: 200_000 }, (_, index) => `L${index}`)
  const { error } = body.safeParse({ projectRoom: 'acme', labels })
  expect(error && fieldErrorsOf(error)).toEqual([{ field: 'labels', code: 'labels-too-many', params: { max: 20 } }])
})

test('the e-mail address of an operator cannot be taken for one of their API tokens', () => {
  const { email } = operatorChange.shape
  expect(email.parse('ada@example.com')).toBe('ada@example.com')
  for (const given of ['admin@localhost (token CI nightly)', 'ada@example.com\u001b[2J'])
    expect(email.safeParse(given).success, given).toBe(false)
})
