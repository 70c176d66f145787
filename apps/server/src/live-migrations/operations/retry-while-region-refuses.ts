/** Retries work that a region refuses for now. */
import { NotYet, toldByRegion } from '#operations/index.ts'
import { isRegionError } from '#regions/index.ts'

/**
 * For work that must be done eventually: what a region refuses now (a full disk, a lock, a damaged room) it may accept
 * later.
 * @throws NotYet in place of any error of the region
 */
export async function retryWhileRegionRefuses<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isRegionError(error)) throw new NotYet(toldByRegion(error))
    throw error
  }
}
