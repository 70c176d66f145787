/**
 * Statements that are asked again and again keep their plan: PostgreSQL then neither parses nor plans them anew, which
 * for the first page of a list is half of the time.
 */
import type { CompiledQuery } from 'kysely'
import type pg from 'pg'

/** Each costs memory in each connection. */
const mostPrepared = 50
const names = new Map<string, string>()

/** Runs a statement without parameters; prepared, while it is one of the first that this process has run so. */
export async function queryPrepared<Row extends object>(pool: pg.Pool, statement: CompiledQuery<Row>): Promise<Row[]> {
  const text = statement.sql
  let name = statement.parameters.length === 0 ? names.get(text) : undefined
  if (name === undefined && statement.parameters.length === 0 && names.size < mostPrepared) {
    name = `roomkeeper-${names.size}`
    names.set(text, name)
  }
  const values = [...statement.parameters]
  const { rows } = await pool.query<Row>(name === undefined ? { text, values } : { name, text })
  return rows
}
