/**
 * Texts for people, sent as codes with parameters. A catalogue holds the English text of each code, with `{{name}}` for
 * each parameter; the parameters' types are derived from that text. The program that shows a text derives it from its
 * code: the console in the operator's language, the server in English for all other programs.
 */
import { z } from 'zod'
import type { ReasonCode } from './reason-texts.ts'

/** Why something is not possible. Its texts are `reasonTexts`. */
export interface CodedReason {
  readonly code: ReasonCode
  readonly params: Params
}
/** Sentences in their order: why something failed, and what came of it. */
export type Reasons = readonly CodedReason[]
/** Numbers, names of things, and nested reasons. Never a secret, and never a text that would need translation. */
export type Params = Readonly<Record<string, string | number | CodedReason>>

type NamesIn<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never
/**
 * The parameters that a text names. `{{reason}}` and `{{next}}` are themselves coded reasons. `{{step}}` is a step's English title; the
 * step's id comes with it, because the console translates titles by id.
 */
export type TextParams<Text extends string> = {
  readonly [Name in NamesIn<Text>]: Name extends 'reason' | 'next' ? CodedReason : string | number
} & ('step' extends NamesIn<Text> ? { readonly stepId: string } : unknown)
/** The arguments that follow a code: none if its text names no parameter. */
export type ParamArguments<Text extends string> = [NamesIn<Text>] extends [never] ? [] : [params: TextParams<Text>]

/** Reasons as received: `code` is any string, because a newer server may send codes that this release does not know. */
export interface ReadReason {
  code: string
  params: CodedParams
}
export type CodedParams = Record<string, string | number | ReadReason>

/**
 * Stands for what only a newer server knows: a parameter of another type, a reason of another shape. No text has this
 * code, so the server's own text is shown. The rest of the answer is read.
 */
const notRead: ReadReason = { code: 'not-read', params: {} }

export const codedReason: z.ZodType<ReadReason> = z.object({
  code: z.string(),
  params: z.lazy(() => codedParams),
})
export const codedParams: z.ZodType<CodedParams> = z.record(
  z.string(),
  z.union([z.string(), z.number(), codedReason]).catch(notRead),
)

/** What a text beside it says, sentence by sentence. */
export const reasonList = (z.array(codedReason.catch(notRead)) as z.ZodType<ReadReasons>).meta({
  description: 'What the text says, by its codes.',
})
export type ReadReasons = readonly ReadReason[]
