/** The headers by which a region recognises repeated calls and overtaken workers. */
import { z } from 'zod'

/** Marks a call as part of an operation. */
export interface CallMark {
  /** Idempotency key (operation, attempt and step): a call with the same key repeats the same request. */
  key: string
  /** Grows when another worker takes the operation over. A region refuses smaller fences for the same operation. */
  fence: number
  /** The operation that the fence belongs to. */
  operation: string
}

export function markHeaders(mark: CallMark | undefined): Record<string, string> {
  if (mark === undefined) return {}
  return { 'idempotency-key': mark.key, 'roomkeeper-operation': mark.operation, 'roomkeeper-fence': String(mark.fence) }
}

/** The operation and fence in a call's headers; undefined without them. @throws {z.ZodError} when they are invalid */
export function fenceOfHeaders(
  headers: Record<string, string | string[] | undefined>,
): { operation: string; fence: number } | undefined {
  const { 'roomkeeper-operation': operation, 'roomkeeper-fence': fence } = headers
  if (operation === undefined && fence === undefined) return undefined
  return fenceHeaders.parse({ operation, fence })
}

/** An operation, and the fence from which on the region takes its calls. */
const raisedFence = z.object({
  operation: z.string().min(1).max(200).describe('The id of the operation.'),
  fence: z
    .int()
    .min(0)
    .max(999_999_999_999_999)
    .describe('Calls of this operation with a smaller one are refused from now on.'),
})
export type RaisedFence = z.output<typeof raisedFence>

/** Of one call. */
export const fencesAtMost = 1000
export const fenceRaise = z.object({
  fences: z.array(raisedFence).min(1).max(fencesAtMost).describe('A higher one that the region knows stays.'),
})

export const fenceHeaders = z.object({
  operation: z.string().min(1).max(200).describe('The id of the operation that the call belongs to.'),
  fence: z
    .string()
    .regex(/^\d{1,15}$/)
    .describe('The fence of the worker, a decimal number. Only together with the operation.')
    .transform(Number),
})
