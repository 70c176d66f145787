/** What is wrong with single fields: from the schemas here, the rules, and the server alike. */
import { z } from 'zod'
import { codedParams, type ParamArguments, type Params, type TextParams } from './coded-text.ts'
import type { FieldErrorCode, fieldErrorTexts } from './field-error-texts.ts'

type TextOf<Code extends FieldErrorCode> = (typeof fieldErrorTexts)[Code]

/** What is wrong, wherever it is. */
export interface CodedError {
  readonly code: FieldErrorCode
  readonly params: Params
}
export interface FieldError extends CodedError {
  /** By its name on the wire, such as `licenses.YABD`. */
  readonly field: string
}

/** As in an answer: `message` is the text in English, for programs that know neither code nor language. */
export const fieldProblem = z.object({
  field: z.string(),
  message: z.string(),
  // A server of before may answer without them while the servers are upgraded one by one.
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

/** The error of a schema. What a schema finds carries one text and nothing else, so the text is the coded error as JSON. */
export function coded<Code extends FieldErrorCode>(code: Code, ...params: ParamArguments<TextOf<Code>>): string {
  return JSON.stringify(codedError(code, ...params))
}

/** As much as anybody reads. */
export const errorsAtMost = 100

/** The first that a schema has found, by the path of the field. A large body can be wrong in each of its elements. */
export function fieldErrorsOf({ issues }: Pick<z.core.$ZodError, 'issues'>): FieldError[] {
  return issues.slice(0, errorsAtMost).map(({ path, message }) => ({ field: path.join('.'), ...decoded(message) }))
}

/** A text without a code is the library's own: of a value that only a program can send. */
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
