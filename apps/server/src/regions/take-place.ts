/** A place on a region for a new room, taken in the transaction that makes the room. */
import type { Product } from '@roomkeeper/contract'
import { regionIsFull } from '@roomkeeper/rules'
import type { Tx } from '#platform/database.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'

/**
 * Holds the region's row until the transaction ends, so that nobody else can take the last place; the row of the
 * room, inserted in the same transaction, is what counts.
 * @throws Refusal `region-full`, `region-disabled`, `product-not-served`, or `invalid-input` for an unknown region
 */
export async function takePlace(tx: Tx, regionId: number, product: Product): Promise<void> {
  const region = await tx
    .selectFrom('regions')
    .select(['name', 'state', 'products', 'maxRooms', 'roomCount'])
    .where('id', '=', regionId)
    .forUpdate()
    .executeTakeFirst()
  if (region === undefined) throw refuseInput([{ field: 'region', message: 'There is no such region.' }])
  if (region.state === 'disabled') throw refuse('region-disabled', { region: region.name })
  if (!region.products.includes(product)) throw refuse('product-not-served', { region: region.name, product })
  if (regionIsFull({ maxNumOfTenants: region.maxRooms, numberOfProjectRooms: region.roomCount })) {
    throw refuse('region-full', { region: region.name })
  }
}
