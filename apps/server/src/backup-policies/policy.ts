/**
 * Policies as they are stored, and the rooms that they cover. What JSON columns hold is on the wire's form, which a later
 * release reads, too.
 */
import {
  type BackupPolicy,
  type BackupPolicyRooms,
  backupPolicyRooms,
  backupRetention,
  backupSchedule,
} from '@roomkeeper/contract'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { matchingRooms } from '#rooms/index.ts'

export interface StoredPolicy extends Omit<BackupPolicy, 'runs'> {
  scheduledUntil: string | null
  discardUntil: string | null
  deletedAt: string | null
}

interface Row extends Omit<StoredPolicy, 'rooms' | 'schedule' | 'keep'> {
  rooms: unknown
  schedule: unknown
  keep: unknown
}

const columns = `id, name, is_on, rooms, kind, schedule, keep, verify_every, version, scheduled_until, discard_until,
  deleted_at`

export async function listPolicies(db: Db | Tx): Promise<StoredPolicy[]> {
  const rows = await queryRows<Row>(db, `select ${columns} from backup_policies where deleted_at is null order by name`)
  return rows.map(read)
}

/** Locks it until the transaction ends. Null if it was deleted. */
export async function lockStoredPolicy(tx: Tx, id: string): Promise<StoredPolicy | null> {
  const [row] = await queryRows<Row>(
    tx,
    `select ${columns} from backup_policies where id = $1 and deleted_at is null for no key update`,
    [id],
  )
  return row === undefined ? null : read(row)
}

/** All code that needs both locks the policies in this order, before the rows of the schedule. */
export async function lockAllPolicies(tx: Tx): Promise<void> {
  await queryRows(tx, 'select from backup_policies order by name, id for no key update')
}

/**
 * The policies, deleted ones included, for which a backup of the room waits. Locks keep them unchanged until the
 * transaction ends.
 */
export async function policiesThatWait(tx: Tx, roomId: string): Promise<StoredPolicy[]> {
  const rows = await queryRows<Row>(
    tx,
    `select ${columns} from backup_policies
      where id in (select policy_id from scheduled_backups where room_id = $1 and state = 'waiting')
      order by name, id for share`,
    [roomId],
  )
  return rows.map(read)
}

function read(row: Row): StoredPolicy {
  const rooms = z.decode(backupPolicyRooms, row.rooms as z.input<typeof backupPolicyRooms>)
  return { ...row, rooms, schedule: backupSchedule.parse(row.schedule), keep: backupRetention.parse(row.keep) }
}

/**
 * The rooms of a policy, as a condition on `rooms`.
 * @param db the transaction if one is open: code within a transaction must not wait for a second connection
 * @throws Refusal `invalid-filter`
 */
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
