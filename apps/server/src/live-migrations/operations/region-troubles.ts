/** What a region's own troubles are, as opposed to what is wrong here. */
import { NotYet } from '#operations/index.ts'
import { isOfRegion } from '#regions/index.ts'

/**
 * For what is owed to a region until it is done: whatever it refuses now (a full disk, a lock, a damaged room) it may
 * take later.
 * @throws NotYet instead of what the region answered
 */
export async function untilTheRegionCan<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isOfRegion(error)) throw new NotYet(error.message)
    throw error
  }
}
