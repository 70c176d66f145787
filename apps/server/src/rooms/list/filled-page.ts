/** A page whose rooms come with its totals, in one statement. */
import { type RawBuilder, sql } from 'kysely'
import { type RoomRow, roomColumns, roomJoins } from './room-rows.ts'
import { type Totals, type TotalsRow, totalsColumns, totalsOf } from './totals.ts'

export interface RoomPage {
  totals: Totals | null
  /** In the requested order. */
  names: string[]
  /** In the same order. Null if the statement that found the names did not read the rooms as well. */
  rows: RoomRow[] | null
}

export type FilledRow = TotalsRow & (RoomRow | { name: null })

/**
 * Reads the rooms together with the totals, which is cheaper than a second query.
 * @param answer a statement that returns one row with the columns of a TotalsRow and the array `names`
 */
export function withRooms(answer: RawBuilder<unknown>): RawBuilder<FilledRow> {
  return sql<FilledRow>`
    with answer as materialized (${answer})
    select ${totalsColumns('answer')}, filled.* from answer left join lateral (
      select ${sql.raw(roomColumns)}, page.position from unnest(answer.names) with ordinality as page (name, position)
      join rooms r on r.name = page.name ${sql.raw(roomJoins)}
    ) as filled on true order by filled.position`
}

export function filledPage(filled: readonly FilledRow[]): RoomPage {
  const [first] = filled
  if (first === undefined) throw new Error('A sum has one row.')
  const rows = filled.filter((row): row is TotalsRow & RoomRow => row.name !== null)
  return { totals: totalsOf(first), names: rows.map(({ name }) => name), rows }
}
