/** Makes a reason from its code, with parameters checked by the type checker. */
import type { CodedReason, ParamArguments, TextParams } from './coded-text.ts'
import type { ReasonCode, reasonTexts } from './reason-texts.ts'

type TextOf<Code extends ReasonCode> = (typeof reasonTexts)[Code]

export function because<Code extends ReasonCode>(code: Code, ...[params]: ParamArguments<TextOf<Code>>) {
  return { code, params: (params ?? {}) as TextParams<TextOf<Code>> } satisfies CodedReason
}
