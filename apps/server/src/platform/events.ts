/**
 * Hints for live consoles, written in the transaction of the change (changes/) and read by every API process. A reader's
 * cursor is the last (tx, id) that it has read. It reads only events of transactions older than the oldest running one of this
 * database, so that it does not skip a transaction that commits late.
 */
import type { ServerEvent } from '@roomkeeper/contract'
import { type Db, queryRows } from './database.ts'

/**
 * A snapshot lists the running transactions of the whole PostgreSQL server. Transactions of other databases write no
 * events here, so one that stays open must not delay ours. A transaction of unknown database counts as ours.
 */
const oldestRunning = `
  select coalesce(
    (select min(running) from pg_snapshot_xip(pg_current_snapshot()) as running
      where not exists (select from pg_stat_activity
                         where datname <> current_database()
                           and backend_xid::text::bigint = running::text::bigint % 4294967296)),
    pg_snapshot_xmax(pg_current_snapshot()))`

/** `<tx>-<id>`, as in Last-Event-ID. */
export interface EventCursor {
  tx: string
  id: number
}

export function formatCursor(cursor: EventCursor): string {
  return `${cursor.tx}-${cursor.id}`
}

export function parseCursor(text: string): EventCursor | null {
  const found = /^(\d{1,19})-(\d{1,15})$/.exec(text)
  return found?.[1] === undefined ? null : { tx: found[1], id: Number(found[2]) }
}

/** The cursor of a new reader, which skips everything that is already committed. */
export async function currentCursor(db: Db): Promise<EventCursor> {
  const [row] = await queryRows<{ tx: string }>(db, `select (${oldestRunning})::text as tx`)
  return { tx: row?.tx ?? '0', id: 0 }
}

export interface EventAtCursor extends EventCursor {
  payload: ServerEvent
}

export interface EventBatch {
  events: EventAtCursor[]
  /** Newer events exist that cannot be read yet: read again soon. */
  more: boolean
}

const mostEvents = 500

export async function eventsAfter(db: Db, cursor: EventCursor): Promise<EventBatch> {
  const rows = await queryRows<{ tx: string; id: number; payload: ServerEvent; readable: boolean }>(
    db,
    `select tx::text as tx, id, payload, tx < (${oldestRunning}) as readable
       from events where (tx, id) > ($1::xid8, $2::bigint) order by events.tx, id limit $3`,
    [cursor.tx, cursor.id, mostEvents],
  )
  const blocked = rows.findIndex((row) => !row.readable)
  const events = (blocked === -1 ? rows : rows.slice(0, blocked)).map(({ tx, id, payload }) => ({ tx, id, payload }))
  return { events, more: blocked !== -1 || rows.length === mostEvents }
}

/** Whether events after this cursor have been removed. */
export async function cursorIsExpired(db: Db, cursor: EventCursor): Promise<boolean> {
  const [oldest] = await queryRows<{ gone: boolean }>(
    db,
    `select coalesce((select min(tx) from events) > $1::xid8, true)
        and $1::xid8 < (${oldestRunning}) as gone`,
    [cursor.tx],
  )
  return oldest?.gone === true
}

/** Keeps the newest event, so that `cursorIsExpired` can tell that a reader at this event has missed nothing. */
export async function removeOldEvents(db: Db): Promise<void> {
  await queryRows(
    db,
    `delete from events where at < now() - interval '10 minutes'
        and (tx, id) < (select tx, id from events order by events.tx desc, id desc limit 1)`,
  )
}
