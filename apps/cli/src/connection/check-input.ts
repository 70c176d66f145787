/** Checks an input by the contract before it is sent, and refuses it as the server would. */
import {
  englishError,
  type FieldError,
  type FieldProblem,
  fieldErrorsOf,
  type Route,
  unknownFields,
} from '@roomkeeper/contract'
import { z } from 'zod'
import { Failure } from '#failure.ts'

interface Input {
  query?: unknown
  body?: unknown
}

/** @throws Failure */
export function checkInput(route: Route, { query, body }: Input): void {
  const unknown = [...unknownFields(route.query, query), ...unknownFields(route.body, body)]
  const errors = [...unknown.map(inEnglish), ...errorsIn(route.query, query), ...errorsIn(route.body, body)]
  if (errors.length === 0) return
  throw new Failure('refused', 'Please check these fields.', { code: 'invalid-input', title: 'Invalid input', errors })
}

/** Checks only what is given: the server has defaults for much, and refuses what is missing. */
function errorsIn(schema: z.ZodType | undefined, value: unknown): FieldProblem[] {
  if (schema === undefined || value === undefined) return []
  if (!(schema instanceof z.ZodObject)) return problemsOf(schema, value)
  const { shape } = schema
  const isGiven = ([field, each]: [string, unknown]) => each !== undefined && Object.hasOwn(shape, field)
  const given = Object.entries(value as object).filter(isGiven)
  return given.flatMap(([field, each]) => problemsOf(shape[field] as z.ZodType, each, field))
}

function problemsOf(schema: z.ZodType, value: unknown, field?: string): FieldProblem[] {
  if (schema instanceof z.ZodObject)
    return errorsIn(schema, value).map((error) => ({ ...error, field: joined(field, error.field) }))
  const read = z.safeEncode(schema, value)
  if (read.success) return []
  return fieldErrorsOf(read.error).map((error) => inEnglish({ ...error, field: joined(field, error.field) }))
}

function inEnglish(error: FieldError): FieldProblem {
  const { field, code, params } = error
  return { field, message: englishError(error), code, params: params as FieldProblem['params'] }
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('.')
}
