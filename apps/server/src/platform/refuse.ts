/** Expected failures. Whatever is thrown and is not a Refusal is a bug and answers 500. */
import { type FieldError, type Problem, type RefusalCode, refusals } from '@roomkeeper/contract'
import { shownText } from '@roomkeeper/region-protocol'
import type { z } from 'zod'

export class Refusal extends Error {
  readonly code: RefusalCode
  readonly errors: FieldError[] | undefined
  /** What the answer says in its head besides. */
  headers: Record<string, string> = {}
  constructor(code: RefusalCode, detail: string, errors?: FieldError[]) {
    super(detail)
    this.name = 'Refusal'
    this.code = code
    this.errors = errors
  }

  /** @param instance the path that was called */
  toProblem(instance: string): Problem {
    const { status, title } = refusals[this.code]
    const problem = { type: `urn:roomkeeper:${this.code}`, title, status, detail: this.message, instance }
    return this.errors === undefined ? problem : { ...problem, errors: this.errors }
  }
}

/** Some fields are words of a region or of a store. */
const longestField = 10_000

/**
 * `throw refuse('region-full', { region })`: the text of the code with its `{…}` filled in.
 * @param errors field by field, for input that does not validate
 */
export function refuse(
  code: RefusalCode,
  fields: Record<string, string | number> = {},
  errors?: FieldError[],
): Refusal {
  const detail = refusals[code].detail.replace(/\{(\w+)\}/g, (whole, name: string) =>
    shownText(String(fields[name] ?? whole), longestField),
  )
  return new Refusal(code, detail, errors)
}

/** With more in the head of the answer, such as `content-range`. */
export function withHeaders(refusal: Refusal, headers: Record<string, string>): Refusal {
  refusal.headers = headers
  return refusal
}

const errorsAtMost = 100
const longestName = 200

/** What is wrong with input, field by field: as much of it as anybody reads. @param within such as `projectRoom.` */
export function fieldErrorsOf({ issues }: z.core.$ZodError, within = ''): FieldError[] {
  return issues.slice(0, errorsAtMost).map(({ path, message }) => ({
    field: shownText(within + path.join('.'), longestName),
    message,
  }))
}

/** Invalid input; `detail` says the first thing that is wrong. */
export function refuseInput(errors: FieldError[]): Refusal {
  return new Refusal('invalid-input', errors[0]?.message ?? refusals['invalid-input'].detail, errors)
}
