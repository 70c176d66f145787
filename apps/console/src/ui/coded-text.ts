/**
 * Coded texts in the operator's language. A code or a parameter of a newer server that this console does not know is
 * told in the server's own words, which are English.
 */
import type { CodedParams, FieldErrorCode, Problem, ReasonCode, RefusalCode } from '@roomkeeper/contract'
import i18next from 'i18next'

type Key =
  | `errors:fields.${FieldErrorCode}`
  | `errors:reasons.${ReasonCode}`
  | `errors:refusals.${RefusalCode}.${'title' | 'detail'}`

interface Coded {
  code: string
  params: CodedParams
}

/** What is wrong with a field. @param message where a server has told it */
export function textOfFieldError(error: Coded & { message?: string }): string {
  return textAt(`errors:fields.${error.code as FieldErrorCode}`, error.params) ?? error.message ?? withoutTexts()
}

/** Why the operator is warned before a form is sent. */
export function textOfWarning(reason: Coded): string {
  return textOfReason(reason) ?? withoutTexts()
}

/** The texts of errors have not come, or cannot be fetched: the field is marked all the same. */
function withoutTexts(): string {
  return i18next.t('app:checkEntry')
}

/** Null: this console has no words for it. */
export function textOfReason({ code, params }: Coded): string | null {
  return textAt(`errors:reasons.${code as ReasonCode}`, params)
}

/** Why a call was refused. */
export function textOfProblem({ type, detail, params, errors: [first] = [] }: Problem): string {
  const code = codeOf(type)
  if (code === 'invalid-input' && first !== undefined) return textOfFieldError(first)
  return textAt(`errors:refusals.${code}.detail`, params) ?? detail
}

export function titleOfProblem({ type, title }: Problem): string {
  return textAt(`errors:refusals.${codeOf(type)}.title`, {}) ?? title
}

/** What a refusal means, before any call was refused so. */
export function textOfRefusal(code: RefusalCode): string {
  return textAt(`errors:refusals.${code}.detail`, {}) ?? ''
}

function codeOf(type: string): RefusalCode {
  return type.slice('urn:roomkeeper:'.length) as RefusalCode
}

function textAt(key: Key, params: CodedParams): string | null {
  if (!i18next.exists(key)) return null
  const values: Record<string, string | number> = {}
  for (const [name, param] of Object.entries(params)) {
    const value = typeof param === 'object' ? textOfReason(param) : param
    if (value === null) return null
    values[name] = value
  }
  // A server of before tells no parameters.
  const names = String(i18next.t(key, { skipInterpolation: true })).matchAll(/\{\{(\w+)\}\}/g)
  if ([...names].some(([, name = '']) => !(name in values))) return null
  return String(i18next.t(key, { replace: values }))
}
