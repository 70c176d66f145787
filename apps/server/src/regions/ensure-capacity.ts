/** Checks that a region has capacity for a new room, in the transaction that inserts the room. */
import { fieldError, type Product } from '@roomkeeper/contract'
import { freeCapacity } from '@roomkeeper/rules'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import type { StoredRegion } from './stored-region.ts'

/** The facts that decide whether a region takes a new room. */
export interface RegionCapacity {
  name: string
  isDisabled: boolean
  products: readonly string[]
  /** null: unlimited. */
  freeCapacity: number | null
}

interface CapacityColumns extends Pick<StoredRegion, 'name' | 'state' | 'products' | 'maxRooms'> {
  roomCount: number
}

function capacityOf({ name, state, products, maxRooms, roomCount }: CapacityColumns): RegionCapacity {
  const left = freeCapacity({ maxNumOfTenants: maxRooms, numberOfProjectRooms: roomCount })
  return { name, isDisabled: state === 'disabled', products, freeCapacity: left }
}

const capacityColumns = 'select name, state, products, max_rooms, room_count from regions where id = $1'

/** Without a lock. @returns null for an unknown region */
export async function findCapacity(db: Db | Tx, regionId: number): Promise<RegionCapacity | null> {
  const [region] = await queryRows<CapacityColumns>(db, capacityColumns, [regionId])
  return region === undefined ? null : capacityOf(region)
}

/**
 * Locks the region's row until the transaction ends, so that no other transaction can take the last capacity before the
 * row of the room is inserted in the same transaction. Rows that only refer to the region do not wait.
 * @throws Refusal `invalid-input` for an unknown region
 */
export async function lockCapacity(tx: Tx, regionId: number): Promise<RegionCapacity> {
  const [region] = await queryRows<CapacityColumns>(tx, `${capacityColumns} for no key update`, [regionId])
  return known(region === undefined ? null : capacityOf(region))
}

/** @throws Refusal `region-full`, `region-disabled`, `product-not-served`, and the refusals of `lockCapacity` */
export async function ensureCapacity(tx: Tx, regionId: number, product: Product): Promise<void> {
  refuseWithout(await lockCapacity(tx, regionId), product)
}

/**
 * Refuses what `ensureCapacity` would refuse now, without making others wait. Before the room is inserted, ask that one
 * as well.
 */
export async function expectCapacity(tx: Tx, regionId: number, product: Product): Promise<void> {
  refuseWithout(known(await findCapacity(tx, regionId)), product)
}

function known(region: RegionCapacity | null): RegionCapacity {
  if (region === null) throw refuseInput([fieldError('region', 'region-unknown')])
  return region
}

function refuseWithout(region: RegionCapacity, product: Product): void {
  if (region.isDisabled) throw refuse('region-disabled', { region: region.name })
  if (!region.products.includes(product)) throw refuse('product-not-served', { region: region.name, product })
  if (region.freeCapacity === 0) throw refuse('region-full', { region: region.name })
}
