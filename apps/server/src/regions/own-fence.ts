/**
 * For calls that must not be obeyed late, although the operation that sent them goes on: each is sent under a fence of
 * its own, and its region is told a higher one before the next is sent, and as soon as this one has come to an end. So
 * one whose answer was lost is refused when it arrives after all.
 */
import { type CallMark, type RegionClient, RegionRefusal, saysUnknown } from '@roomkeeper/region-protocol'
import type { StepCall } from '#operations/index.ts'

type OwnCall = Pick<StepCall<unknown, unknown>, 'id' | 'mark'>

const purposes = ['questions', 'removals'] as const
type Purpose = (typeof purposes)[number]

let sent = 0
/** A fence has 15 digits at most, and a restored dump adds a million to that of an operation. */
const ownFencesOfOneClaim = 100_000_000

/** Above all of this operation before: those of this process, and those of whoever held it earlier. */
export function ownMark({ id, mark }: OwnCall, purpose: Purpose): CallMark {
  sent += 2
  return { ...mark, operation: nameOf(id, purpose), fence: mark.fence * ownFencesOfOneClaim + sent }
}

/** Refuses what is still on its way under this mark, too. */
export function above(mark: CallMark): CallMark {
  return { ...mark, fence: mark.fence + 1 }
}

/** There is no such job: all that the region does is to remember the fence. */
export async function refuseBelow(region: RegionClient, mark: CallMark): Promise<void> {
  const job = `none-${mark.operation}`.replace(/[^A-Za-z0-9]+/g, '-')
  await region.cancelJob(job, mark).catch((error: unknown) => {
    if (!saysUnknown(error) && !isKnown(error)) throw error
  })
}

/** It has been told a higher one already. */
const isKnown = (error: unknown) => error instanceof RegionRefusal && error.type === 'urn:roomkeeper-region:overtaken'

/**
 * Everything that an operation has sent up to this fence is refused from now on, whatever mark it carries.
 * @throws RegionRefusal | RegionUnreachable
 */
export async function refuseAllOf(
  region: RegionClient,
  { id, fence }: { id: string; fence: number },
  { key }: Pick<CallMark, 'key'>,
): Promise<void> {
  for (const purpose of purposes)
    await refuseBelow(region, { key, operation: nameOf(id, purpose), fence: (fence + 1) * ownFencesOfOneClaim })
  await refuseBelow(region, { key, operation: id, fence: fence + 1 })
}

const nameOf = (operationId: string, purpose: Purpose) => `${operationId}:${purpose}`
