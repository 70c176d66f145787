/** Which regions can take a new room, and how many places are left. */
import type { Product, Region } from '@roomkeeper/contract'

type Places = Pick<Region, 'maxNumOfTenants' | 'numberOfProjectRooms'>

/** A negative maximum means unlimited, which is null; 0 or more caps the rooms. */
export function placesLeft({ maxNumOfTenants: most, numberOfProjectRooms: rooms }: Places): number | null {
  return most < 0 ? null : Math.max(most - rooms, 0)
}

export function regionIsFull(region: Places): boolean {
  return placesLeft(region) === 0
}

/** The regions offered for a new room: enabled, and serving the product. Full ones are among them. */
export function regionsFor<R extends Pick<Region, 'state' | 'productVersion'>>(
  product: Product,
  regions: readonly R[],
): R[] {
  return regions.filter((region) => region.state === 'enabled' && region.productVersion.includes(product))
}
