/** Calls a region for an operator who waits: the region's failures become the answer. */
import { RegionRefusal, RegionUnreachable, WrongServer } from '@roomkeeper/region-protocol'
import { toldByRegion } from '#operations/index.ts'
import { refuse } from '#platform/refuse.ts'

/** @throws Refusal `region-unreachable`, `other-server`, `region-refused`, or `wrong-state` when the region says so */
export async function askRegion<T>(regionName: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof WrongServer) throw refuse('other-server', { region: regionName })
    if (error instanceof RegionUnreachable) throw refuse('region-unreachable', { region: regionName })
    if (!(error instanceof RegionRefusal)) throw error
    throw refuse(error.status === 409 ? 'wrong-state' : 'region-refused', {
      reason: toldByRegion(error),
    })
  }
}
