/** The rooms of a policy, as a condition on `rooms`. */
import type { BackupPolicyRooms } from '@roomkeeper/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#platform/database.ts'
import { matchingRooms } from '#rooms/index.ts'

/** @param db a transaction where one is open: within it, nobody may wait for another connection. @throws Refusal `invalid-filter` */
export async function isCovered(
  db: Db | Tx,
  { regions, products, editions, query }: BackupPolicyRooms,
): Promise<RawBuilder<boolean>> {
  const conditions = [sql<boolean>`rooms.state <> 'MARKED_FOR_DELETION'`]
  if (regions.length > 0) conditions.push(sql`rooms.region_id = any(${regions}::int[])`)
  if (products.length > 0) conditions.push(sql`rooms.product::text = any(${products}::text[])`)
  if (editions.length > 0) conditions.push(sql`rooms.edition::text = any(${editions}::text[])`)
  if (query !== null) conditions.push(sql`(${(await matchingRooms(db, query)).where})`)
  return sql`(${sql.join(conditions, sql` and `)})`
}
