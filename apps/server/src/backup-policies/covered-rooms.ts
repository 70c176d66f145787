/** The rooms of a policy, as a condition on `rooms`. */
import type { BackupPolicyRooms } from '@roomkeeper/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#platform/database.ts'
import { matchingRooms } from '#rooms/index.ts'

/** @throws Refusal `invalid-filter` */
export async function isCovered(
  database: Database,
  { regions, products, editions, query }: BackupPolicyRooms,
): Promise<RawBuilder<boolean>> {
  const conditions = [sql<boolean>`rooms.state <> 'MARKED_FOR_DELETION'`]
  if (regions.length > 0) conditions.push(sql`rooms.region_id = any(${regions}::int[])`)
  if (products.length > 0) conditions.push(sql`rooms.product::text = any(${products}::text[])`)
  if (editions.length > 0) conditions.push(sql`rooms.edition::text = any(${editions}::text[])`)
  if (query !== null) conditions.push(sql`(${(await matchingRooms(database, query)).where})`)
  return sql`(${sql.join(conditions, sql` and `)})`
}
