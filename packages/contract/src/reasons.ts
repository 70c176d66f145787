/** Makes a reason from its code, with parameters checked by the type checker. */
import type { CodedReason, ParamArguments, Reasons, TextParams } from './coded-text.ts'
import type { ReasonCode, reasonTexts } from './reason-texts.ts'

type TextOf<Code extends ReasonCode> = (typeof reasonTexts)[Code]

export function because<Code extends ReasonCode>(code: Code, ...[params]: ParamArguments<TextOf<Code>>) {
  return { code, params: (params ?? {}) as TextParams<TextOf<Code>> } satisfies CodedReason
}

/** Joins several reasons, in their order, where only one can be sent. Null if there are none. */
export function joinReasons([first, ...others]: Reasons): CodedReason | null {
  if (first === undefined) return null
  const next = joinReasons(others)
  return next === null ? first : because('with-next', { reason: first, next })
}
