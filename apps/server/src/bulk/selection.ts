/**
 * The rooms of a selection, and their digest. A start with the digest of its preflight takes exactly the rooms of that
 * preflight: their number alone stays the same when one room replaces another.
 */
import type { BulkSelection, RoomExportQuery } from '@roomkeeper/contract'
import { type RawBuilder, sql } from 'kysely'
import { textArray } from '#platform/database/text-array.ts'
import { type Db, queryBuilt, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { steadyTime } from '#platform/steady-time.ts'
import { matchingRooms } from '#rooms/index.ts'

/** A condition on `rooms`. */
export type Selected = RawBuilder<boolean>

/** @throws Refusal `invalid-filter` */
export async function isSelected(db: Db, selection: BulkSelection): Promise<Selected> {
  if ('rooms' in selection) return sql`rooms.name = any(${textArray(selection.rooms)})`
  const { where } = await matchingRooms(db, selection.query satisfies RoomExportQuery)
  if (selection.except.length === 0) return sql`(${where})`
  return sql`((${where}) and not rooms.name = any(${textArray(selection.except)}))`
}

const digestOf = (id: string) =>
  `encode(sha256(convert_to(string_agg(${id}::text, ',' order by ${id}), 'UTF8')), 'hex')`

const mostKept = 50

/** Keeps the rooms of the newest selections for a day. @returns the digest; null: no room is selected */
export async function keepSelection(db: Db, where: Selected): Promise<string | null> {
  const rows = await queryBuilt<{ digest: string }>(
    db,
    sql`insert into bulk_selections as kept (digest, rooms)
    select ${sql.raw(digestOf('id'))}, jsonb_object_agg(id, name) from rooms where ${where} having count(*) > 0
    on conflict (digest) do update set at = steady_now() returning digest`,
  )
  await queryRows(
    db,
    `delete from bulk_selections where digest in (select digest from bulk_selections order by at desc offset $1)`,
    [mostKept],
  )
  return rows[0]?.digest ?? null
}

interface Expected {
  total: number
  digest: string | undefined
}

/** @param total how many rooms the bulk has @throws Refusal `selection-changed` */
export async function requireSameRooms(tx: Tx, bulkId: string, total: number, expected: Expected): Promise<void> {
  const isSame = expected.digest === undefined || expected.digest === (await digestOfBulk(tx, bulkId))
  if (isSame && total === expected.total) return
  const [changes] = await queryRows<{ added: string[]; removed: string[] }>(tx, changesSince, [bulkId, expected.digest])
  const refusal = refuse('selection-changed', { rooms: total })
  // The rooms of the preflight are forgotten after a day.
  if (changes !== undefined) refusal.more = changes
  throw refusal
}

async function digestOfBulk(tx: Tx, bulkId: string): Promise<string | null> {
  const select = `select ${digestOf('room_id')} as digest from operation_items where parent_id = $1`
  const [found] = await queryRows<{ digest: string | null }>(tx, select, [bulkId])
  return found?.digest ?? null
}

const mostNames = 20
const changesSince = `
  select array(select room_name from operation_items i where i.parent_id = $1 and not kept.rooms ? i.room_id::text
                order by 1 limit ${mostNames}) as added,
         array(select value from jsonb_each_text(kept.rooms)
                where not exists (select from operation_items i where i.parent_id = $1 and i.room_id = key::uuid)
                order by 1 limit ${mostNames}) as removed
    from bulk_selections kept where digest = $2`

export async function tidySelections(db: Db): Promise<void> {
  await queryRows(db, `delete from bulk_selections where at < ${steadyTime} - interval '1 day'`)
}
