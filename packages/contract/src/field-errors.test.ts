import { expect, test } from 'vitest'
import { z } from 'zod'
import { coded, englishError, fieldErrorsOf, fieldErrorTexts, paramNamesOf, reasonTexts, refusals } from './index.ts'
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

test('what only the library of the schemas finds is told in its words', () => {
  const [error] = found(z.object({ name: z.string() }), { name: '{"code":1}', more: 1 })
  expect(error).toBeUndefined()
  expect(found(z.number(), 'x')).toEqual([
    { field: '', code: 'not-valid', params: { told: 'Invalid input: expected number, received string' } },
  ])
})

test('no text has a gap that is not one of a parameter', () => {
  const texts = [
    ...Object.values(fieldErrorTexts),
    ...Object.values(reasonTexts),
    ...Object.values(refusals).map(({ detail }) => detail),
  ]
  for (const text of texts) expect(text.split('{').length - 1).toBe(2 * paramNamesOf(text).length)
})
