/** What the rooms take on disk. */
import type pg from 'pg'
import type { Measures } from './growth-points.ts'

export async function measureBytes(database: pg.Client, measures: Measures): Promise<void> {
  const { rows } = await database.query<{ table: string; indexes: string; database: string }>(
    `select pg_table_size('rooms') as table, pg_indexes_size('rooms') as indexes,
       pg_database_size(current_database()) as database`,
  )
  for (const [name, bytes] of Object.entries(rows[0] ?? {})) measures.add(`bytes.${name}`, 'bytes', Number(bytes))
  const { rows: indexes } = await database.query<{ name: string; bytes: string }>(
    `select indexrelid::regclass::text as name, pg_relation_size(indexrelid) as bytes
     from pg_index where indrelid = 'rooms'::regclass order by bytes desc, name`,
  )
  for (const { name, bytes } of indexes) measures.add(`bytes.index.${name}`, 'bytes', Number(bytes))
}
