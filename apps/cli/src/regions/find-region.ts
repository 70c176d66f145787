import { type Region, shortened } from '@roomkeeper/contract'
import type { Server } from '#connection/connect.ts'
import { Failure } from '#failure.ts'

/** @param given its name or its id @throws Failure that names those there are */
export async function findRegion(server: Server, given: string | number): Promise<Region> {
  const { body: regions } = await server.call('regions', {})
  return regionIn(regions, given)
}

/** @throws Failure */
export function regionIn(regions: readonly Region[], given: string | number): Region {
  const byName = regions.find(({ regionName }) => regionName === given)
  const found = byName ?? regions.find(({ regionId }) => String(regionId) === String(given))
  if (found !== undefined) return found
  const known = regions.map(({ regionName }) => regionName).join(', ')
  const hints = [known === '' ? 'There are none at all.' : `Regions: ${known}`]
  throw new Failure('refused', `There is no region ${shortened(String(given))}.`, { hints })
}
