import { coded, englishError, type FieldProblem, ProblemError, type RefusalCode, refusals } from '@roomkeeper/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { FormErrors } from './resource-form.ts'
import { errorsOf, refusalsAt } from './use-errors.ts'

const values = { name: '  ', first: 3, last: 2 }
const schema = z.object({ name: z.string().min(1, coded('name-missing')), last: z.number().min(10, 'Too small.') })

test('the schema judges the body, the checks judge the entries and come first at the same field', () => {
  const validation = {
    schema,
    bodyOf: ({ name, ...rest }: typeof values) => ({ name: name.trim(), ...rest }),
    checks: ({ first, last }: typeof values): FormErrors =>
      last < first ? { last: 'The last comes after the first.' } : {},
  }
  expect(inWords(errorsOf(validation, values))).toEqual({
    name: 'Please enter the name.',
    last: 'The last comes after the first.',
  })
  expect(errorsOf(validation, { name: 'a', first: 1, last: 10 })).toEqual({})
})

test('refused fields are those that show them', () => {
  const errors = [{ field: 'surname', message: 'Please enter the name.', code: 'name-missing', params: {} }]
  const validation = { pathOf: (field: string) => (field === 'surname' ? 'name' : field) }
  expect(refusalsAt(validation, refusal('invalid-input', errors))).toEqual({ name: 'Please enter the name.' })
})

test('a refusal that names no field stands where the form wants it, another one nowhere', () => {
  const validation = { refusals: { 'email-taken': 'email' } }
  expect(refusalsAt(validation, refusal('email-taken'))).toEqual({ email: refusals['email-taken'].detail })
  expect(refusalsAt(validation, refusal('own-account'))).toEqual({})
  expect(refusalsAt(validation, new TypeError('unreachable'))).toEqual({})
})

function refusal(code: RefusalCode, errors?: FieldProblem[]): ProblemError {
  const { status, title, detail } = refusals[code]
  const problem = { type: `urn:roomkeeper:${code}`, status, title, detail, instance: '/', params: {} }
  return new ProblemError(errors === undefined ? problem : { ...problem, errors })
}

function inWords(errors: FormErrors): Record<string, string> {
  const told = Object.entries(errors).map(([path, error]) => [
    path,
    typeof error === 'string' ? error : englishError(error),
  ])
  return Object.fromEntries(told)
}
