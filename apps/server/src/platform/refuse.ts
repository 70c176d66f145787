/** Expected failures. Any other error that a handler throws is a bug and answers 500. */
import {
  because,
  type CodedReason,
  englishError,
  errorsAtMost,
  type FieldError,
  type FieldErrorCode,
  fieldError,
  type fieldErrorTexts,
  fillIn,
  type ParamArguments,
  type Params,
  type Problem,
  type RefusalCode,
  type RefusalText,
  refusals,
  secondsToWait,
  type TextParams,
} from '@roomkeeper/contract'
import { cleanText } from '@roomkeeper/region-protocol'

export class Refusal extends Error {
  readonly code: RefusalCode
  readonly params: Params
  readonly errors: readonly FieldError[] | undefined
  /** Additional members of the answer. */
  more: Pick<Problem, 'added' | 'removed' | 'now'> = {}
  /** Additional headers of the answer. */
  headers: Record<string, string> = {}
  constructor(code: RefusalCode, params: Params, errors?: readonly FieldError[]) {
    super(detailOf(code, params, errors))
    this.name = 'Refusal'
    this.code = code
    this.params = params
    this.errors = errors
  }

  /** @param instance the path that was called */
  toProblem(instance: string): Problem {
    const { status, title } = refusals[this.code]
    const { code, params, errors, message: detail } = this
    const problem = { type: `urn:roomkeeper:${code}`, title, status, detail, instance, params, ...this.more }
    if (errors === undefined) return problem
    return { ...problem, errors: errors.map((each) => ({ ...each, message: englishError(each) })) }
  }

  /** How long its text says to wait, or null if it names no time. */
  get secondsToWait(): number | null {
    return secondsToWait(this.code, this.params)
  }

  /** The refusal's own reason, or else its message; `refusal` is its code, for consoles that translate it. */
  get reason(): CodedReason {
    const { reason } = this.params
    if (typeof reason === 'object') return reason
    const told = because('told', { told: this.message })
    // Invalid input says more than its code.
    return this.errors === undefined
      ? { ...told, params: { ...this.params, ...told.params, refusal: this.code } }
      : told
  }
}

/** For invalid input, the message of the first error, with its field where the message is about any field. */
function detailOf(code: RefusalCode, params: Params, errors: readonly FieldError[] = []): string {
  const [first] = errors
  if (code !== 'invalid-input' || first === undefined) return fillIn(refusals[code].detail, params)
  const message = englishError(first)
  // General texts such as "Must be a list." do not name their field.
  return message.startsWith('Must ') && first.field !== '' ? `${first.field}: ${message}` : message
}

type RefusalArguments<Code extends RefusalCode> = keyof TextParams<RefusalText<Code>> extends never
  ? [params?: Record<string, never>, errors?: readonly FieldError[]]
  : [params: TextParams<RefusalText<Code>>, errors?: readonly FieldError[]]

/**
 * `throw refuse('region-full', { region })`: the text of the code with its `{{…}}` filled in.
 * @param given the parameters of the text, and the errors of single fields
 */
export function refuse<Code extends RefusalCode>(code: Code, ...given: RefusalArguments<Code>): Refusal {
  const [params = {}, errors] = given
  return new Refusal(code, shownParams(params), errors)
}

/** Refuses a file: `Wrong file` or `Wrong file content`, as the specification says it, and beside it what is wrong. */
export function refuseFile<Code extends FieldErrorCode>(
  refusal: 'wrong-file' | 'wrong-file-content',
  code: Code,
  ...params: ParamArguments<(typeof fieldErrorTexts)[Code]>
): Refusal {
  const wrong: FieldError = fieldError('file', code, ...params)
  return new Refusal(refusal, {}, [{ ...wrong, params: shownParams(wrong.params) }])
}

/** Adds headers to the answer, such as `content-range`. */
export function withHeaders(refusal: Refusal, headers: Record<string, string>): Refusal {
  refusal.headers = headers
  return refusal
}

const maxNameLength = 200

/** Invalid input, with at most `errorsAtMost` errors; `detail` is the first of them. */
export function refuseInput(errors: readonly FieldError[]): Refusal {
  const shown = errors.slice(0, errorsAtMost).map((each) => ({
    ...each,
    field: cleanText(each.field, maxNameLength),
    params: shownParams(each.params),
  }))
  return new Refusal('invalid-input', {}, shown)
}

/** In characters: some parameters are texts of a region or a store. */
const maxParamLength = 10_000

export function shownParams(params: Params): Params {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, shown(value)]))
}

function shown(value: Params[string]): Params[string] {
  if (typeof value === 'string') return cleanText(value, maxParamLength)
  return typeof value === 'object' ? { ...value, params: shownParams(value.params) } : value
}
