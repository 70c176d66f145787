/** Translates a filter by the time of a room's newest backup into an SQL condition on `rooms`. */
import { type RawBuilder, sql } from 'kysely'
import { type Condition, comparesText, type Operator } from './condition.ts'
import { timeIsWritten } from './date-predicates.ts'
import { meansNoDate, parseSpan, type Span } from './filter-values.ts'
import { textPredicate, wireText } from './text-predicates.ts'

/** A room without a backup counts as backed up before any time. The index `room_backups_room` answers for one room. */
export function lastBackupSql({ operator, writesDates = false }: Condition, value: string): RawBuilder<boolean> {
  if (comparesText(operator) && writesDates) return textPredicate(wireText(newest, 'time'), operator, value, 'plain')
  if (comparesText(operator)) {
    const isWritten = timeIsWritten({ column: sql`b.created_at`, operator, value, isNegated: false, writesDates })
    return backedUp(sql`${isWritten} and ${isNewest}`)
  }
  const span = parseSpan(value)
  if (span === null) return meansNoDate(value) ? sql`not ${backedUp(sql`true`)}` : sql`false`
  return comparedSql(operator, span)
}

/** As a question whether there is a backup since then: it can be answered for all rooms at once. */
function comparedSql(operator: Operator, { start, end }: Span): RawBuilder<boolean> {
  const since = (moment: string) => backedUp(sql`b.created_at >= ${moment}::timestamptz`)
  switch (operator) {
    case 'less':
      return sql`not ${since(start)}`
    case 'at-most':
      return sql`not ${since(end)}`
    case 'more':
      return since(end)
    case 'at-least':
      return since(start)
    default:
      return sql`(${since(start)} and not ${since(end)})`
  }
}

function backedUp(where: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select from room_backups b where b.room_id = rooms.id and ${where})`
}

const isNewest = sql<boolean>`not exists (
  select from room_backups newer where newer.room_id = rooms.id and newer.created_at > b.created_at)`

const newest = sql<string | null>`(select max(b.created_at) from room_backups b where b.room_id = rooms.id)`
