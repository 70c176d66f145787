/**
 * Deletes a copy of a room that was checked before. The job has a new id, because for the id of an earlier job the
 * region would only answer with that job's result. If such a job arrives late, only its fence keeps it from deleting
 * whatever exists by then, which may be the room itself.
 */
import { randomUUID } from 'node:crypto'
import type { CallMark, JobRequest, JobResult, RegionClient } from '@roomkeeper/region-protocol'
import { markWithOwnFence, refuseOlderCalls, withNextFence } from './own-fence.ts'
import { type JobCall, type JobLimits, runRegionJob } from './run-region-job.ts'

export interface Removal {
  /** The name of the removal within its operation. */
  name: string
  mark: CallMark
}

/** Called before the check: from now on the region refuses late calls of earlier tries. */
export async function startRemoval(call: JobCall, region: RegionClient, name: string): Promise<Removal> {
  const mark = markWithOwnFence(call, 'removals')
  await refuseOlderCalls(region, mark)
  return { name, mark }
}

type RemovalRequest = Omit<Extract<JobRequest, { type: 'deleteRoom' }>, 'type'> & {
  /**
   * Whether the region lists the copy. If not, an earlier removal may be half done; the job then has a fixed id, so
   * that the region finishes it.
   */
  isListed: boolean
}

export async function removeCheckedCopy(
  call: JobCall,
  region: RegionClient,
  { name, mark }: Removal,
  { isListed, ...request }: RemovalRequest,
  limits: JobLimits = {},
): Promise<JobResult<'deleteRoom'>> {
  const job = isListed ? `${name}-${randomUUID()}` : name
  try {
    const removed = await runRegionJob({ ...call, mark }, region, { type: 'deleteRoom', ...request }, job, limits)
    await refuseOlderCalls(region, withNextFence(mark))
    return removed
  } catch (error) {
    // If this call fails, the next try or a worker that takes over begins with it.
    await refuseOlderCalls(region, withNextFence(mark)).catch(() => undefined)
    throw error
  }
}
