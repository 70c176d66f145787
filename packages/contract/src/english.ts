/** Coded texts in English, for answers, logs and records. The console has its own texts in each of its languages. */
import type { CodedReason, Params, Reasons } from './coded-text.ts'
import { fieldErrorTexts } from './field-error-texts.ts'
import type { CodedError } from './field-errors.ts'
import { fillInValues, joinSentences } from './fill-in.ts'
import { reasonTexts } from './reason-texts.ts'

const gap = /\{\{(\w+)\}\}/g

/** A text with its parameters filled in. */
export function fillIn(text: string, params: Params): string {
  const values = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'object' ? englishReason(value) : value,
  ])
  return fillInValues(text, Object.fromEntries(values))
}

/** The parameters that a text names. */
export function paramNamesOf(text: string): string[] {
  return [...text.matchAll(gap)].map(([, name = '']) => name)
}

/** A record may hold a code that only another version knows: the code itself is then shown. */
export function englishReason({ code, params }: CodedReason): string {
  return Object.hasOwn(reasonTexts, code) ? fillIn(reasonTexts[code], params) : code
}

export function englishReasons(reasons: Reasons): string {
  return joinSentences(reasons.map(englishReason))
}

export function englishError({ code, params }: CodedError): string {
  return fillIn(fieldErrorTexts[code], params)
}
