/** The pinned notes of rooms, as they come with rooms and with the preflight of a bulk. */
import { type RawBuilder, sql } from 'kysely'
import { timeSql } from '#platform/csv.ts'

/** Whether the room has a pinned note. */
export const hasPinnedNoteSql: RawBuilder<boolean> = sql`exists (select from room_notes where room_id = rooms.id and is_pinned)`

/** For `jsonb_build_object`, from a row of `room_notes`. */
export const pinnedNoteParts = `'id', id, 'text', text, 'author', author, 'createdAt', ${timeSql('created_at', 'programs', 3)}`

/** A subquery. @param room a row of `rooms` */
export function pinnedNotesOf(room: string): string {
  return `(select coalesce(jsonb_agg(jsonb_build_object(${pinnedNoteParts}) order by created_at desc, id), '[]')
             from room_notes where room_id = ${room}.id and is_pinned)`
}
