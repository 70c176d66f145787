import type { NetworkDatabase } from '@roomkeeper/dev-env'

/** The tables of the whole database that contain this text, for example `public.audit`. */
export async function tablesWith(database: Pick<NetworkDatabase, 'rows'>, text: string): Promise<string[]> {
  const tables = await database.rows<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await database.rows(`select from ${name} t where position($1 in t::text) > 0 limit 1`, [text])
    if (rows.length > 0) found.push(name)
  }
  return found
}
