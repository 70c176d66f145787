/**
 * Removes a copy of a room that was looked at before. That is a job with an id of its own, because an earlier one that is
 * done would be answered, and nothing done; so nothing but its fence keeps it, when it arrives late, from removing what
 * has come to that place since, which may be the room itself.
 */
import { randomUUID } from 'node:crypto'
import type { CallMark, JobRequest, JobResult, RegionClient } from '@roomkeeper/region-protocol'
import { above, ownMark, refuseBelow } from './own-fence.ts'
import { type JobCall, type JobLimits, runRegionJob } from './run-region-job.ts'

export interface Removal {
  /** What the removal is called within its operation. */
  name: string
  mark: CallMark
}

/** Before anything is looked at: what an earlier try has sent is not obeyed any more. */
export async function beginRemoval(call: JobCall, region: RegionClient, name: string): Promise<Removal> {
  const mark = ownMark(call, 'removals')
  await refuseBelow(region, mark)
  return { name, mark }
}

type Wish = Omit<Extract<JobRequest, { type: 'deleteRoom' }>, 'type'> & {
  /** What is not listed may have been cut off half-way: its removal has a lasting id, so that it is finished. */
  seen: boolean
}

export async function removeSeen(
  call: JobCall,
  region: RegionClient,
  { name, mark }: Removal,
  { seen, ...wish }: Wish,
  limits: JobLimits = {},
): Promise<JobResult<'deleteRoom'>> {
  const job = seen ? `${name}-${randomUUID()}` : name
  try {
    const removed = await runRegionJob({ ...call, mark }, region, { type: 'deleteRoom', ...wish }, job, limits)
    await refuseBelow(region, above(mark))
    return removed
  } catch (error) {
    // Where that does not succeed, the next try begins with it, or whoever takes this over.
    await refuseBelow(region, above(mark)).catch(() => undefined)
    throw error
  }
}
