/**
 * Fences for calls that must not take effect late although their operation continues. Each call has a fence of its own,
 * and the region learns a higher one as soon as the call has ended and before the next call is sent. So a call whose
 * answer was lost is refused when it arrives late.
 */
import {
  type CallMark,
  fencesAtMost,
  isUnknownToRegion,
  type RegionClient,
  RegionRefusal,
} from '@roomkeeper/region-protocol'
import type { StepCall } from '#operations/index.ts'

type OwnCall = Pick<StepCall<unknown>, 'id' | 'mark'>

const purposes = ['questions', 'removals', 'locks'] as const
type Purpose = (typeof purposes)[number]

let sent = 0
/** A fence has at most 15 digits, and the restore of a dump adds a million to an operation's fence. */
const ownFencesPerClaim = 100_000_000

/** The fence is higher than all earlier ones of the operation, in this process and in workers that had it before. */
export function markWithOwnFence({ id, mark }: OwnCall, purpose: Purpose): CallMark {
  sent += 2
  return { ...mark, operation: nameOf(id, purpose), fence: mark.fence * ownFencesPerClaim + sent }
}

/** A mark for `refuseOlderCalls` that makes the region refuse calls with the given mark too. */
export function withNextFence(mark: CallMark): CallMark {
  return { ...mark, fence: mark.fence + 1 }
}

/** Makes the region remember the fence, by cancelling a job that does not exist. */
export async function refuseOlderCalls(region: RegionClient, mark: CallMark): Promise<void> {
  const job = `none-${mark.operation}`.replace(/[^A-Za-z0-9]+/g, '-')
  await region.cancelJob(job, mark).catch((error: unknown) => {
    if (!isUnknownToRegion(error) && !isKnown(error)) throw error
  })
}

/** True when the region already knows a higher fence. */
const isKnown = (error: unknown) => error instanceof RegionRefusal && error.type === 'urn:roomkeeper-region:overtaken'

/**
 * Makes the region refuse every call that these operations have sent up to their fences, under any mark.
 * @throws RegionRefusal | RegionUnreachable
 */
export async function refuseCallsOf(
  region: RegionClient,
  operations: readonly { id: string; fence: number }[],
  { key }: Pick<CallMark, 'key'>,
): Promise<void> {
  const fences = operations.flatMap(({ id, fence }) => [
    ...purposes.map((purpose) => ({ operation: nameOf(id, purpose), fence: (fence + 1) * ownFencesPerClaim })),
    { operation: id, fence: fence + 1 },
  ])
  for (let first = 0; first < fences.length; first += fencesAtMost) {
    const some = fences.slice(first, first + fencesAtMost)
    if (await region.raiseFences(some)) continue
    for (const each of some) await refuseOlderCalls(region, { key, ...each })
  }
}

const nameOf = (operationId: string, purpose: Purpose) => `${operationId}:${purpose}`
