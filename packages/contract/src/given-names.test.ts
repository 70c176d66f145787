import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { backupPolicyDraft } from './backup-policies.ts'
import { fieldErrorsOf } from './field-errors.ts'
import { operatorChange } from './operators.ts'
import { regionDraft } from './regions.ts'
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
    ]) {
      const { error } = schema.safeParse(`CI${hidden}nightly`)
      expect(error && fieldErrorsOf(error), JSON.stringify(hidden)).toMatchObject([
        { code: 'text-has-control-characters' },
      ])
    }
  })

  test('may be of any language', () => {
    for (const name of ['Nächtlicher Export (Köln)', '夜間バックアップ', 'نسخ احتياطي', '👩‍💻 builds'])
      expect(schema.parse(` ${name} `)).toBe(name)
  })
})

test('the e-mail address of an operator cannot be taken for one of their API tokens', () => {
  const { email } = operatorChange.shape
  expect(email.parse('ada@example.com')).toBe('ada@example.com')
  for (const given of ['admin@localhost (token CI nightly)', 'ada@example.com\u001b[2J'])
    expect(email.safeParse(given).success, given).toBe(false)
})
