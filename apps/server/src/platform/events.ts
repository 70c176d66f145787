/**
 * Hints for live consoles, written in the transaction of the change and read by every API process.
 * A reader's place is the last (tx, id) it has seen; it reads only below the oldest running transaction of this
 * database, so that a transaction that commits late is not passed over.
 */
import type { ServerEvent } from '@roomkeeper/contract'
import { type Db, queryRows, type Tx } from './database.ts'

export async function announce(tx: Db | Tx, event: ServerEvent): Promise<void> {
  await tx
    .insertInto('events')
    .values({ payload: JSON.stringify(event) })
    .execute()
}

/**
 * Snapshots name the running transactions of the whole PostgreSQL server; those of its other databases write no events
 * here, and one of them that stays open must not hold ours back. One that cannot be told apart counts as ours.
 */
const oldestRunning = `
  select coalesce(
    (select min(running) from pg_snapshot_xip(pg_current_snapshot()) as running
      where not exists (select from pg_stat_activity
                         where datname <> current_database()
                           and backend_xid::text::bigint = running::text::bigint % 4294967296)),
    pg_snapshot_xmax(pg_current_snapshot()))`

/** `<tx>-<id>`, as in Last-Event-ID. */
export interface EventPlace {
  tx: string
  id: number
}

export function formatPlace(place: EventPlace): string {
  return `${place.tx}-${place.id}`
}

export function parsePlace(text: string): EventPlace | null {
  const found = /^(\d{1,19})-(\d{1,15})$/.exec(text)
  return found?.[1] === undefined ? null : { tx: found[1], id: Number(found[2]) }
}

/** The place from which a new reader starts: everything committed before now is behind it. */
export async function currentPlace(db: Db): Promise<EventPlace> {
  const [row] = await queryRows<{ tx: string }>(db, `select (${oldestRunning})::text as tx`)
  return { tx: row?.tx ?? '0', id: 0 }
}

export interface PlacedEvent extends EventPlace {
  payload: ServerEvent
}

export interface EventBatch {
  events: PlacedEvent[]
  /** Newer events exist that cannot be read yet: look again soon. */
  more: boolean
}

export async function eventsAfter(db: Db, place: EventPlace, limit = 500): Promise<EventBatch> {
  const rows = await queryRows<{ tx: string; id: number; payload: ServerEvent; readable: boolean }>(
    db,
    `select tx::text as tx, id, payload, tx < (${oldestRunning}) as readable
       from events where (tx, id) > ($1::xid8, $2::bigint) order by events.tx, id limit $3`,
    [place.tx, place.id, limit],
  )
  const blocked = rows.findIndex((row) => !row.readable)
  const events = (blocked === -1 ? rows : rows.slice(0, blocked)).map(({ tx, id, payload }) => ({ tx, id, payload }))
  return { events, more: blocked !== -1 || rows.length === limit }
}

/** Whether a reader at this place has missed events that are gone by now. */
export async function placeIsGone(db: Db, place: EventPlace): Promise<boolean> {
  const [oldest] = await queryRows<{ gone: boolean }>(
    db,
    `select coalesce((select min(tx) from events) > $1::xid8, true)
        and $1::xid8 < (${oldestRunning}) as gone`,
    [place.tx],
  )
  return oldest?.gone === true
}

export async function removeOldEvents(db: Db): Promise<void> {
  await queryRows(db, `delete from events where at < now() - interval '10 minutes'`)
}
