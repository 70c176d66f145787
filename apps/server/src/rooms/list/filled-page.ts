/** A page whose rooms come with its totals, in one statement. */
import { type RawBuilder, sql } from 'kysely'
import { type RoomRow, roomColumns, roomJoins } from './room-rows.ts'
import { type Totals, type TotalsRow, totalsAsJson, totalsOf } from './totals.ts'

export interface RoomPage {
  totals: Totals | null
  /** In the requested order. */
  names: string[]
  /** In the same order. Null if the statement that found the names did not read the rooms as well. */
  rows: RoomRow[] | null
}

/** The totals stand in the first row only: to write and read them in each would cost more than the rooms' own numbers. */
export type FilledRow = { totals: TotalsRow | null } & (RoomRow | { name: null })

/**
 * Reads the rooms together with the totals, which is cheaper than a second query.
 * @param answer a statement that returns one row with the columns of a TotalsRow and the array `names`
 */
export function withRooms(answer: RawBuilder<unknown>): RawBuilder<FilledRow> {
  return sql<FilledRow>`
    with answer as materialized (${answer})
    select case when filled.position is null or filled.position = 1 then ${totalsAsJson('answer')} end as totals, filled.*
    from answer left join lateral (
      select ${sql.raw(roomColumns)}, page.position from unnest(answer.names) with ordinality as page (name, position)
      join rooms r on r.name = page.name ${sql.raw(roomJoins)}
    ) as filled on true order by filled.position`
}

export function filledPage(filled: readonly FilledRow[]): RoomPage {
  const [first] = filled
  if (first === undefined || first.totals === null) throw new Error('A sum has one row.')
  const rows = filled.filter((row): row is RoomRow & { totals: TotalsRow | null } => row.name !== null)
  return { totals: totalsOf(first.totals), names: rows.map(({ name }) => name), rows }
}
