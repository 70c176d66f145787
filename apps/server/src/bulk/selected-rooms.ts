/** The rooms of a selection, as a condition on `rooms`. */
import type { BulkSelection, RoomExportQuery } from '@roomkeeper/contract'
import { type RawBuilder, sql } from 'kysely'
import { textArray } from '#platform/database/text-array.ts'
import type { Db } from '#platform/database.ts'
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
