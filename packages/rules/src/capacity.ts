/** Which regions can take a new room, and their free capacity. */
import type { Product, Region } from '@roomkeeper/contract'

type CapacityOf = Pick<Region, 'maxNumOfTenants' | 'numberOfProjectRooms'>

/** A negative maximum means unlimited, which is null; 0 or more caps the rooms. */
export function freeCapacity({ maxNumOfTenants: most, numberOfProjectRooms: rooms }: CapacityOf): number | null {
  return most < 0 ? null : Math.max(most - rooms, 0)
}

export function regionIsFull(region: CapacityOf): boolean {
  return freeCapacity(region) === 0
}

/** The regions offered for a new room: enabled, and serving the product. Full ones are among them. */
export function regionsFor<R extends Pick<Region, 'state' | 'productVersion'>>(
  product: Product,
  regions: readonly R[],
): R[] {
  return regions.filter((region) => region.state === 'enabled' && region.productVersion.includes(product))
}
