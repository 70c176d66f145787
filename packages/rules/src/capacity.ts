/** Which regions can take a new room, their free capacity, and whether they answer. */
import type { Product, Region, RegionHealth } from '@roomkeeper/contract'

type CapacityOf = Pick<Region, 'maxNumOfTenants' | 'numberOfProjectRooms'>

/** How many more rooms the region takes. Null: unlimited, for which the maximum is negative. */
export function freeCapacity({ maxNumOfTenants: most, numberOfProjectRooms: rooms }: CapacityOf): number | null {
  return most < 0 ? null : Math.max(most - rooms, 0)
}

export function regionIsFull(region: CapacityOf): boolean {
  return freeCapacity(region) === 0
}

/** What is wrong with an enabled region, as far as is known; null: nothing, or it is disabled. */
export function whyDown({ state, health }: Pick<Region, 'state' | 'health'>): Exclude<RegionHealth, 'answers'> | null {
  return state === 'enabled' && health !== 'answers' ? health : null
}

/** Whether a region is offered for a new room: an enabled one that serves the product, also when it is full. */
export function isOfferedFor(product: Product, region: Pick<Region, 'state' | 'productVersion'>): boolean {
  return region.state === 'enabled' && region.productVersion.includes(product)
}
