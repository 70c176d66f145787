import { expect, test } from 'vitest'
import { z } from 'zod'
import { bulkSelection } from './bulks.ts'
import {
  coded,
  emailPattern,
  englishError,
  fieldErrorsOf,
  fieldErrorTexts,
  paramNamesOf,
  reasonTexts,
  refusals,
} from './index.ts'
import { roomDraft } from './room-changes.ts'

const found = (schema: z.ZodType, value: unknown) => fieldErrorsOf(z.safeParse(schema, value).error ?? { issues: [] })

test('what a schema finds is told by the field, a code and its parameters', () => {
  const schema = z.object({
    people: z.array(z.object({ name: z.string().max(3, coded('at-most-characters', { max: 3 })) })),
  })
  const errors = found(schema, { people: [{ name: 'Adam' }] })
  expect(errors).toEqual([{ field: 'people.0.name', code: 'at-most-characters', params: { max: 3 } }])
  expect(errors.map(englishError)).toEqual(['At most 3 characters.'])
})

test('a selection of rooms says what is wrong with the form that was given', () => {
  const first = (selection: unknown) => found(bulkSelection, selection)[0]?.code
  expect([{}, { rooms: [] }].map(first)).toEqual(['no-rooms-selected', 'no-rooms-selected'])
  expect(first({ rooms: Array(100_001).fill('room') })).toBe('entries-too-many')
  expect(first({ query: { order: 'sideways' } })).not.toBe('no-rooms-selected')
})

test('the fields of a room say by code what is missing', () => {
  const codes = new Map(found(roomDraft, {}).map(({ field, code }) => [field, code]))
  expect(codes.get('tenantName')).toBe('room-name-missing')
  expect(codes.get('customerEmail')).toBe('owner-email-missing')
  expect(codes.get('region')).toBe('region-not-selected')
})

test('of very much that is wrong only the first 100 errors are told', () => {
  const errors = found(z.array(z.string()), Array(5_000).fill(0))
  expect(errors.map(({ field }) => field)).toEqual(Array.from({ length: 100 }, (_, at) => String(at)))
})

test('what only the library of the schemas finds is told by codes too, never in its sentences for programmers', () => {
  const [error] = found(z.object({ name: z.string() }), { name: '{"code":1}', more: 1 })
  expect(error).toBeUndefined()
  const messages = (schema: z.ZodType, value: unknown) => found(schema, value).map(englishError)
  expect(messages(z.object({ name: z.string() }), {})).toEqual(['Must be a text.'])
  expect(messages(z.number(), 'x')).toEqual(['Must be a number.'])
  expect(messages(z.enum(['a', 'b']), 'x')).toEqual(['Must be one of a, b.'])
  expect(messages(z.string().max(3), 'four')).toEqual(['At most 3 characters.'])
  expect(messages(z.array(z.int()).min(1), [])).toEqual(['At least 1 entry.'])
  expect(messages(z.int().min(0), -1)).toEqual(['Must be 0 or more.'])
  expect(messages(z.union([z.string(), z.number()]), null)).toEqual(['This value is not accepted.'])
})

test('no text has a gap that is not one of a parameter', () => {
  const texts = [
    ...Object.values(fieldErrorTexts),
    ...Object.values(reasonTexts),
    ...Object.values(refusals).map(({ detail }) => detail),
  ]
  for (const text of texts) expect(text.split('{').length - 1).toBe(2 * paramNamesOf(text).length)
})

test('an address of whatever length is looked at in no time, and is found as the specification says', () => {
  // The pattern of the specification would take minutes for it.
  expect(emailPattern.test(`${'@'.repeat(1_000_000)}\nx`)).toBe(false)
  for (const text of ['a@b', '@@b', 'a@@', 'a@', '@b', '@', '@@', 'a', '', 'a b@c', 'a@b\n', 'a\u2028@b'])
    expect(emailPattern.test(text), JSON.stringify(text)).toBe(/^(.+)@(.+)$/.test(text))
})
