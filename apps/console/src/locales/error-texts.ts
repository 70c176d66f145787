/**
 * Why calls fail and entries are refused, in the operator's language. If a newer server sends a code or a parameter that
 * this console does not know, the server's own text is shown, which is English.
 */
import {
  type CodedParams,
  type FieldErrorCode,
  fillInValues,
  joinSentences,
  type OtherAnswer,
  type Problem,
  ProblemError,
  type ReasonCode,
  type RefusalCode,
  selectionChanges,
} from '@roomkeeper/contract'
import { CancelledError } from '@tanstack/react-query'
import i18next from 'i18next'
import { inLanguage } from './number-format.ts'

type Key =
  | `errors:fields.${FieldErrorCode}`
  | `errors:reasons.${ReasonCode}`
  | `errors:refusals.${RefusalCode}.${'title' | 'detail'}`
  | `errors:otherAnswers.${OtherAnswer}.${'title' | 'detail'}`

interface Coded {
  code: string
  params: CodedParams
}

/** The text for a failed call: why the server refused it, or why the server could not be reached. */
export function textOf(error: unknown): string {
  if (error instanceof ProblemError) return textOfProblem(error.problem)
  if (error instanceof TypeError) return i18next.t('app:error.unreachable')
  return i18next.t('app:error.unexpected')
}

/**
 * Whether the call failed because the session has ended, which is shown once, elsewhere. The cache is emptied then,
 * which cancels what is being fetched.
 */
export function isSessionEnd(error: unknown): boolean {
  return error instanceof CancelledError || (error instanceof ProblemError && error.problem.status === 401)
}

/** The text of a field's error. @param error.message the server's text, if it sent the error */
export function textOfFieldError(error: Coded & { message?: string }): string {
  return textAt(`errors:fields.${error.code as FieldErrorCode}`, error.params) ?? error.message ?? withoutTexts()
}

/** The text of a warning that is shown before a form is sent. */
export function textOfWarning(reason: Coded): string {
  return textOfReason(reason) ?? withoutTexts()
}

/** Used while the texts of errors are not loaded: the field is marked as wrong all the same. */
function withoutTexts(): string {
  return i18next.t('app:checkEntry')
}

/** Returns null if this console has no text for the reason. */
export function textOfReason({ code, params }: Coded): string | null {
  // A refusal, with its English text for consoles that do not know its code.
  const refused =
    typeof params.refusal === 'string'
      ? textAt(`errors:refusals.${params.refusal as RefusalCode}.detail`, params)
      : null
  if (refused !== null) return refused
  return textAt(`errors:reasons.${code as ReasonCode}`, params)
}

/**
 * Why something failed.
 * @param text the server's own, where it has told no reasons, or some that this console does not know
 */
export function textOfReasons<Text extends string | null>(reasons: readonly Coded[], text: Text): string | Text {
  const said = reasons.map(textOfReason)
  return said.length === 0 || said.includes(null) ? text : joinSentences(said.filter((each) => each !== null))
}

/** Why a call was refused, or what was answered instead; of a refused file also what is wrong with it. */
export function textOfProblem(problem: Problem): string {
  const { detail, errors: [first] = [] } = problem
  if (codeOf(problem) === 'invalid-input' && first !== undefined) return textOfFieldError(first)
  const changes = selectionChanges(problem).flatMap((change) => textOfReason(change) ?? [])
  // Errors of other fields stand at the fields.
  const wrong = first?.field === 'file' ? [textOfFieldError(first)] : []
  return joinSentences([saidOf(problem, 'detail') ?? detail, ...wrong, ...changes])
}

export function titleOfProblem(problem: Problem): string {
  return saidOf(problem, 'title') ?? problem.title
}

function saidOf(problem: Problem, part: 'title' | 'detail'): string | null {
  const { status, params } = problem
  const code = codeOf(problem)
  if (code === 'internal-error') return textAt(`errors:otherAnswers.${code}.${part}`, params)
  if (code !== null) return textAt(`errors:refusals.${code}.${part}`, params)
  const ofStatus = textAt(`errors:otherAnswers.${`status-${status}` as OtherAnswer}.${part}`, {})
  return ofStatus ?? textAt(`errors:otherAnswers.other.${part}`, { status })
}

/** The text of a refusal that may come, before any call was made. */
export function textOfRefusal(code: RefusalCode): string {
  return textAt(`errors:refusals.${code}.detail`, {}) ?? ''
}

const ours = 'urn:roomkeeper:'

/** Returns null if the answer has no code. */
function codeOf({ type }: Problem): RefusalCode | 'internal-error' | null {
  return type.startsWith(ours) ? (type.slice(ours.length) as RefusalCode) : null
}

function textAt(key: Key, params: CodedParams): string | null {
  if (!i18next.exists(key)) return null
  const values: Record<string, string | number> = {}
  for (const [name, param] of Object.entries(params)) {
    const value = typeof param === 'object' ? textOfReason(param) : param
    if (value === null) return null
    values[name] = value
  }
  if (typeof values.stepId === 'string') values.step = nameIn('stepTitles', values.stepId) ?? values.step ?? ''
  if (typeof values.process === 'string') values.process = nameIn('processes', values.process) ?? values.process
  // A text whose parameters are missing is not shown.
  const text = String(i18next.t(key, { skipInterpolation: true }))
  if ([...text.matchAll(/\{\{(\w+)\}\}/g)].some(([, name = '']) => !(name in values))) return null
  // The English ones of fields are words of the specifications, to the letter.
  const isQuoted = key.startsWith('errors:fields') && i18next.language === 'en'
  const write = (value: string | number) => String(inLanguage(value, i18next.language))
  return fillInValues(text, values, isQuoted ? undefined : write)
}

/** The name of a process or a step, which failures and logs tell by its id; null if this console has none for it. */
export function nameIn(names: 'processes' | 'stepTitles', id: string): string | null {
  const key = `operations:${names}.${id as 'switch'}` as 'operations:stepTitles.switch'
  return i18next.exists(key) ? String(i18next.t(key)) : null
}
