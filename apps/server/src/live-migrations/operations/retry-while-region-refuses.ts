/** Retries of work that a region refuses for reasons of its own. */
import { NotYet } from '#operations/index.ts'
import { isRegionError } from '#regions/index.ts'

/**
 * For work that has to be done in the end: what a region refuses now (a full disk, a lock, a damaged room) it may
 * accept later.
 * @throws NotYet instead of what the region answered
 */
export async function retryWhileRegionRefuses<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isRegionError(error)) throw new NotYet(error.message)
    throw error
  }
}
