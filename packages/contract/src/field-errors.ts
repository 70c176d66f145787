/** Errors of single fields. The schemas of this package, the rules and the server all report them this way. */
import { z } from 'zod'
import { codedParams, type ParamArguments, type Params, type TextParams } from './coded-text.ts'
import type { FieldErrorCode, fieldErrorTexts } from './field-error-texts.ts'

type TextOf<Code extends FieldErrorCode> = (typeof fieldErrorTexts)[Code]

/** An error without the field that it belongs to. */
export interface CodedError {
  readonly code: FieldErrorCode
  readonly params: Params
}
export interface FieldError extends CodedError {
  /** The field's name on the wire, such as `licenses.YABD`. */
  readonly field: string
}

/** A field error in an answer. `message` is the English text, for programs that do not know the code. */
export const fieldProblem = z.object({
  field: z.string(),
  message: z.string(),
  code: z.string().meta({ description: 'What is wrong, for programs: stays when the text changes.' }),
  params: codedParams,
})
export type FieldProblem = z.output<typeof fieldProblem>

export function codedError<Code extends FieldErrorCode>(code: Code, ...[params]: ParamArguments<TextOf<Code>>) {
  return { code, params: (params ?? {}) as TextParams<TextOf<Code>> } satisfies CodedError
}

export function fieldError<Code extends FieldErrorCode>(
  field: string,
  code: Code,
  ...params: ParamArguments<TextOf<Code>>
) {
  return { field, ...codedError(code, ...params) } satisfies FieldError
}

/** An error message for a schema. A zod issue can carry nothing but a text, so the coded error is encoded as JSON. */
export function coded<Code extends FieldErrorCode>(code: Code, ...params: ParamArguments<TextOf<Code>>): string {
  return JSON.stringify(codedError(code, ...params))
}

/** An answer lists no more errors than this, because no operator reads more. */
export const errorsAtMost = 100

/** The first errors that a schema found, up to `errorsAtMost`: a large body can be wrong in each of its elements. */
export function fieldErrorsOf({ issues }: Pick<z.core.$ZodError, 'issues'>): FieldError[] {
  return issues.slice(0, errorsAtMost).map((issue) => ({ field: issue.path.join('.'), ...errorOf(issue) }))
}

/** The error message of a schema that passes on what one of its members found. */
export function codedAs(issue: z.core.$ZodIssue): string {
  return JSON.stringify(errorOf(issue))
}

function errorOf(issue: z.core.$ZodIssue): CodedError {
  const found = codedMessage.safeParse(jsonOf(issue.message))
  return found.success ? (found.data as CodedError) : ownError(issue)
}

/** For what a schema has no code of its own. The schema library's sentences are for programmers. */
function ownError(issue: z.core.$ZodIssue): CodedError {
  switch (issue.code) {
    case 'invalid_type':
      return codedError(errorsOfTypes[issue.expected] ?? 'value-wrong')
    case 'invalid_value':
      return codedError('must-be-one-of', { known: issue.values.map(String).join(', ') })
    case 'too_big':
      return codedError(atMostErrors[issue.origin] ?? 'number-too-large', { max: Number(issue.maximum) })
    case 'too_small':
      return codedError(atLeastErrors[issue.origin] ?? 'must-be-at-least', { min: Number(issue.minimum) })
    default:
      return codedError('value-wrong')
  }
}

const errorsOfTypes: Partial<Record<string, PlainCode>> = {
  string: 'must-be-text',
  number: 'must-be-number',
  int: 'must-be-whole-number',
  boolean: 'must-be-boolean',
  array: 'must-be-list',
  object: 'must-be-object',
  record: 'must-be-object',
}
type PlainCode =
  | 'must-be-text'
  | 'must-be-number'
  | 'must-be-whole-number'
  | 'must-be-boolean'
  | 'must-be-list'
  | 'must-be-object'
const atMostErrors: Partial<Record<string, 'at-most-characters' | 'entries-too-many'>> = {
  string: 'at-most-characters',
  array: 'entries-too-many',
}
const atLeastErrors: Partial<Record<string, 'at-least-characters' | 'entries-too-few'>> = {
  string: 'at-least-characters',
  array: 'entries-too-few',
}

const codedMessage = z.object({ code: z.string(), params: codedParams })

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
