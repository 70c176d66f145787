/**
 * Reads a window of a long ordered list without reading everything before it. The list is a sequence of parts of known
 * size; only the parts that overlap the window are read, each from its nearer end. Only names are read, because the
 * indexes contain them; the caller reads the rooms afterwards.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database.ts'
import type { Direction } from './criteria.ts'
import { opposite, orderSql } from './orders.ts'

export interface Part {
  where: RawBuilder<boolean>
  /** What rooms are ordered by before their name within the part; null if by name only. */
  key: RawBuilder<unknown> | null
  rooms: number
}

export interface Window {
  /** In the requested direction. */
  parts: readonly Part[]
  direction: Direction
  offset: number
  size: number
}

export async function readWindow(db: Db, { parts, direction, offset, size }: Window): Promise<string[]> {
  const names: string[] = []
  let before = 0
  for (const part of parts) {
    const from = Math.max(offset - before, 0)
    const count = Math.min(part.rooms - from, size - names.length)
    if (count > 0) names.push(...(await readSlice(db, part, { direction, from, count })))
    before += part.rooms
    if (names.length >= size || before >= offset + size) break
  }
  return names
}

async function readSlice(db: Db, part: Part, slice: { direction: Direction; from: number; count: number }) {
  const { direction, from, count } = slice
  const fromEnd = part.rooms - from - count
  const isNearerToEnd = fromEnd < from
  const order = orderSql(part.key, isNearerToEnd ? opposite(direction) : direction)
  const { rows } = await sql<{ name: string }>`
    select name from rooms where ${part.where} order by ${order}
    limit ${sql.lit(count)} offset ${sql.lit(isNearerToEnd ? fromEnd : from)}`.execute(db)
  const names = rows.map(({ name }) => name)
  return isNearerToEnd ? names.reverse() : names
}
