/** What is wrong with the entries of a form: by the contract's schema and the rules' checks, and by the server. */
import { fieldErrorsOf, ProblemError, type RefusalCode } from '@roomkeeper/contract'
import { z } from 'zod'
import { textOfFieldError, textOfProblem } from '../coded-text.ts'
import type { FormError, FormErrors, Validation } from './resource-form.ts'

export function bodyOf<Values extends object, Body>(validation: Validation<Values, Body>, values: Values): Body {
  return validation.bodyOf === undefined ? (values as unknown as Body) : validation.bodyOf(values)
}

export function errorsOf<Values extends object, Body>(
  validation: Validation<Values, Body>,
  values: Values,
): FormErrors {
  const { schema, checks } = validation
  return { ...(schema && bySchema(schema, bodyOf(validation, values))), ...checks?.(values) }
}

/** Of each field the first thing that is wrong. */
function bySchema(schema: z.ZodType, body: unknown): FormErrors {
  const { error } = z.safeParse(schema, body)
  const found = error === undefined ? [] : fieldErrorsOf(error).toReversed()
  return Object.fromEntries(found.map((each) => [each.field, each]))
}

export function textOfError(error: FormError): string {
  return typeof error === 'string' ? error : textOfFieldError(error)
}

/** What a call has refused, by the path of the field that shows it; nothing when it failed for another reason. */
export function refusalsAt<Values extends object, Body>(
  validation: Validation<Values, Body>,
  error: Error,
): Readonly<Record<string, string>> {
  const { refusals = {}, pathOf = asItIs } = validation
  if (!(error instanceof ProblemError)) return {}
  const { errors } = error.problem
  if (errors !== undefined)
    return Object.fromEntries(errors.map((each) => [pathOf(each.field), textOfFieldError(each)]))
  const place = refusals[error.code as RefusalCode]
  return place === undefined ? {} : { [place]: textOfProblem(error.problem) }
}

function asItIs(path: string): string {
  return path
}
