/** Checks that a region has capacity for a new room, in the transaction that inserts the room. */
import { fieldError, type Product } from '@roomkeeper/contract'
import { freeCapacity } from '@roomkeeper/rules'
import type { Selectable } from 'kysely'
import type { Tx } from '#platform/database.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import type { RegionsTable } from './tables.ts'

/** The facts that decide whether a region takes a new room. */
export interface RegionCapacity {
  name: string
  isDisabled: boolean
  products: readonly string[]
  /** null: unlimited. */
  freeCapacity: number | null
}

type CapacityColumns = Pick<Selectable<RegionsTable>, 'name' | 'state' | 'products' | 'maxRooms' | 'roomCount'>

export function capacityOf({ name, state, products, maxRooms, roomCount }: CapacityColumns): RegionCapacity {
  const left = freeCapacity({ maxNumOfTenants: maxRooms, numberOfProjectRooms: roomCount })
  return { name, isDisabled: state === 'disabled', products, freeCapacity: left }
}

/**
 * Locks the region's row until the transaction ends, so that nobody else can take the last capacity before the row of
 * the room is inserted in the same transaction. Rows that only refer to the region do not wait.
 * @throws Refusal `invalid-input` for an unknown region
 */
export async function lockCapacity(tx: Tx, regionId: number): Promise<RegionCapacity> {
  return knownCapacity(await capacityColumns(tx, regionId).forNoKeyUpdate().executeTakeFirst())
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
  refuseWithout(knownCapacity(await capacityColumns(tx, regionId).executeTakeFirst()), product)
}

function capacityColumns(tx: Tx, regionId: number) {
  return tx
    .selectFrom('regions')
    .select(['name', 'state', 'products', 'maxRooms', 'roomCount'])
    .where('id', '=', regionId)
}

function knownCapacity(region: CapacityColumns | undefined): RegionCapacity {
  if (region === undefined) throw refuseInput([fieldError('region', 'region-unknown')])
  return capacityOf(region)
}

function refuseWithout(region: RegionCapacity, product: Product): void {
  if (region.isDisabled) throw refuse('region-disabled', { region: region.name })
  if (!region.products.includes(product)) throw refuse('product-not-served', { region: region.name, product })
  if (region.freeCapacity === 0) throw refuse('region-full', { region: region.name })
}
