/**
 * For calls that must not take effect late, although their operation goes on: each is sent with a fence of its own, and
 * the region learns a higher one as soon as the call has ended, and before the next is sent. So a call whose answer was
 * lost is refused when it arrives late.
 */
import { type CallMark, isUnknownToRegion, type RegionClient, RegionRefusal } from '@roomkeeper/region-protocol'
import type { StepCall } from '#operations/index.ts'

type OwnCall = Pick<StepCall<unknown, unknown>, 'id' | 'mark'>

const purposes = ['questions', 'removals'] as const
type Purpose = (typeof purposes)[number]

let sent = 0
/** A fence has 15 digits at most, and a restored dump adds a million to that of an operation. */
const ownFencesPerClaim = 100_000_000

/** Higher than all earlier ones of this operation, in this process and in workers that had claimed it before. */
export function markWithOwnFence({ id, mark }: OwnCall, purpose: Purpose): CallMark {
  sent += 2
  return { ...mark, operation: nameOf(id, purpose), fence: mark.fence * ownFencesPerClaim + sent }
}

/** For refusing calls with this very mark, too. */
export function withNextFence(mark: CallMark): CallMark {
  return { ...mark, fence: mark.fence + 1 }
}

/** Cancels a job that does not exist: all that the region does is to remember the fence. */
export async function refuseOlderCalls(region: RegionClient, mark: CallMark): Promise<void> {
  const job = `none-${mark.operation}`.replace(/[^A-Za-z0-9]+/g, '-')
  await region.cancelJob(job, mark).catch((error: unknown) => {
    if (!isUnknownToRegion(error) && !isKnown(error)) throw error
  })
}

/** The region knows a higher fence already. */
const isKnown = (error: unknown) => error instanceof RegionRefusal && error.type === 'urn:roomkeeper-region:overtaken'

/**
 * Everything that an operation has sent up to this fence is refused from now on, whatever mark it carries.
 * @throws RegionRefusal | RegionUnreachable
 */
export async function refuseCallsOf(
  region: RegionClient,
  { id, fence }: { id: string; fence: number },
  { key }: Pick<CallMark, 'key'>,
): Promise<void> {
  for (const purpose of purposes)
    await refuseOlderCalls(region, { key, operation: nameOf(id, purpose), fence: (fence + 1) * ownFencesPerClaim })
  await refuseOlderCalls(region, { key, operation: id, fence: fence + 1 })
}

const nameOf = (operationId: string, purpose: Purpose) => `${operationId}:${purpose}`
