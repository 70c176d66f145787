import type { Overview } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'

/** Counts of all rooms by sales channel, edition and product. */
export async function countRooms(db: Db): Promise<Overview> {
  const [counts] = await queryRows<Overview>(db, statement)
  if (counts === undefined) throw new Error('A sum has one row.')
  return counts
}

const count = (name: keyof Overview, condition: string) =>
  `coalesce(sum(rooms) filter (where ${condition}), 0)::bigint as "${name}"`

const statement = `select ${[
  count('directSales', `sales_channel = 'direct-sales'`),
  count('onlineShop', `sales_channel = 'online-shop'`),
  count('elements', `edition = 'basic'`),
  count('advanced', `edition = 'advanced'`),
  count('enterprise', `edition = 'enterprise'`),
  count('enterpriseLight', `edition = 'advanced-base-extension'`),
  count('aris', `product = 'ARIS'`),
  count('yukon', `product = 'MINING'`),
  count('enterpriseShared', `edition = 'enterprise-shared'`),
].join(', ')} from room_totals`
