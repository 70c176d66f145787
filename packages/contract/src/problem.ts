/**
 * Refusals: every expected failure has a code, and by it a status, a title and a text (refusal-texts.ts).
 * Any other error is a bug: the server answers 500 with nothing but the request id.
 */
import { z } from 'zod'
import { codedParams, type Params } from './coded-text.ts'
import { fieldProblem } from './field-errors.ts'
import type { refusals } from './refusal-texts.ts'

/**
 * application/problem+json (RFC 9457). `type` is `urn:roomkeeper:<code>`. The code and its `params` say the same as
 * `detail`, which is in English.
 */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  /** The parameters of the code in `type`. */
  params: codedParams.default({}),
  errors: z.array(fieldProblem).optional(),
  /** Of `selection-changed`: names of project rooms that have come to the selection since the preflight; 20 at most. */
  added: z.array(z.string()).optional(),
  /** Also of `selection-changed`: names of project rooms that are gone from the selection since. */
  removed: z.array(z.string()).optional(),
  /** Of `changed-meanwhile`: the fields that were changed since, with their values of now. */
  now: z.array(z.object({ field: z.string(), value: z.unknown() })).optional(),
})
export type Problem = z.output<typeof problem>

export type RefusalCode = keyof typeof refusals
/** The refusals of calls that ask a region. */
export const refusalsOfRegions = [
  'region-unreachable',
  'region-refused',
  'other-server',
  'wrong-state',
] as const satisfies readonly RefusalCode[]
/** The refusals of calls that read or write a file of the backup store. */
export const refusalsOfStores = [
  'object-store-refused',
  'object-store-unreachable',
  'other-store',
] as const satisfies readonly RefusalCode[]
/** The refusals of calls that begin to restore a backup which the console has stored. */
export const refusalsOfStoredBackups = [
  'backup-unknown',
  'backup-in-use',
  'backup-damaged',
  'purge-begun',
] as const satisfies readonly RefusalCode[]
export type RefusalText<Code extends RefusalCode> = (typeof refusals)[Code]['detail']

const inAMinute: ReadonlySet<RefusalCode> = new Set([
  'too-many-calls',
  'too-many-exports',
  'too-many-long-calls',
  'too-many-own-exports',
  'too-many-streams',
])

/**
 * How long the text of a refusal says to wait, for the header Retry-After, so that both always agree. Texts that say
 * `{{minutes}}` or `{{seconds}}` have the parameter; the others say 'in a minute'.
 * @returns null if the text names no time
 */
export function secondsToWait(code: RefusalCode, params: Params): number | null {
  const { minutes, seconds } = params
  if (typeof minutes === 'number') return minutes * 60
  if (typeof seconds === 'number') return seconds
  return inAMinute.has(code) ? 60 : null
}
