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
  // A server of an earlier release omits the code and its parameters.
  code: z
    .string()
    .default('not-valid')
    .meta({ description: 'What is wrong, for programs: stays when the text changes.' }),
  params: codedParams.default({}),
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

/** An answer lists no more errors than this: nobody reads more. */
export const errorsAtMost = 100

/** The first errors that a schema found, up to `errorsAtMost`: a large body can be wrong in each of its elements. */
export function fieldErrorsOf({ issues }: Pick<z.core.$ZodError, 'issues'>): FieldError[] {
  return issues.slice(0, errorsAtMost).map(({ path, message }) => ({ field: path.join('.'), ...decoded(message) }))
}

/** A text without a code is zod's own: only a program, never the console, sends such a value. */
function decoded(message: string): CodedError {
  const found = codedMessage.safeParse(jsonOf(message))
  return found.success ? (found.data as CodedError) : codedError('not-valid', { told: message })
}

const codedMessage = z.object({ code: z.string(), params: codedParams })

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
