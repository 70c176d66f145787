/** Which regions can take a new room, and whether there is a place left. */
import type { Product, Region } from '@roomkeeper/contract'

/** A negative maximum means unlimited; 0 or more caps the rooms. */
export function regionIsFull(region: Pick<Region, 'maxNumOfTenants' | 'numberOfProjectRooms'>): boolean {
  return region.maxNumOfTenants >= 0 && region.numberOfProjectRooms >= region.maxNumOfTenants
}

/** The regions offered for a new room: enabled, and serving the product. Full ones are among them. */
export function regionsFor<R extends Pick<Region, 'state' | 'productVersion'>>(
  product: Product,
  regions: readonly R[],
): R[] {
  return regions.filter((region) => region.state === 'enabled' && region.productVersion.includes(product))
}
