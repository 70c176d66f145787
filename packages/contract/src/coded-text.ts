/**
 * Texts for people that travel as codes with parameters. Each code has its English text in a catalogue, with `{{name}}`
 * for each parameter; the types of the parameters follow from it. The text is derived from the code where it is shown:
 * the console in its language, the server in English for everybody else.
 */
import { z } from 'zod'
import type { ReasonCode } from './reason-texts.ts'

/** Why something is not possible. Its texts are `reasonTexts`. */
export interface CodedReason {
  readonly code: ReasonCode
  readonly params: Params
}
/** Numbers, names of things, and reasons; never a secret, and no text of the program. */
export type Params = Readonly<Record<string, string | number | CodedReason>>

type NamesIn<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never
/**
 * The parameters that a text names. `{{reason}}` is a reason with a code of its own; `{{step}}` is a step's English
 * title, and comes with its id, by which the console has a title in each language.
 */
export type TextParams<Text extends string> = {
  readonly [Name in NamesIn<Text>]: Name extends 'reason' ? CodedReason : string | number
} & ('step' extends NamesIn<Text> ? { readonly stepId: string } : unknown)
/** The arguments behind a code: none where its text names no parameter. */
export type ParamArguments<Text extends string> = [NamesIn<Text>] extends [never] ? [] : [params: TextParams<Text>]

/** As they are read: a newer server may have codes that nobody here knows. */
interface ReadReason {
  code: string
  params: CodedParams
}
export type CodedParams = Record<string, string | number | ReadReason>

export const codedReason: z.ZodType<ReadReason> = z.object({
  code: z.string(),
  params: z.lazy(() => codedParams),
})
export const codedParams: z.ZodType<CodedParams> = z.record(z.string(), z.union([z.string(), z.number(), codedReason]))
