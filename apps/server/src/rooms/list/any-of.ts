import { type RawBuilder, sql } from 'kysely'

/** @param conditions at least one */
export function anyOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql`(${sql.join(conditions, sql` or `)})`
}
