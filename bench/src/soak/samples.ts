/** What processes and tables use at one moment. Linux only: read from /proc. */
import { readdirSync } from 'node:fs'
import type { NetworkDatabase } from '@roomkeeper/dev-env'
import { memoryOf } from '../process-cost.ts'

export interface Watched {
  processes: { name: string; pid: number }[]
  database: NetworkDatabase
}

/** Named figures, such as `api: memory, MB`. */
export type Sample = Map<string, number>

export async function watch({ processes, database }: Watched): Promise<Sample> {
  const sample: Sample = new Map()
  for (const { name, pid } of processes) {
    sample.set(`${name}: memory, MB`, memoryOf(pid))
    sample.set(`${name}: file handles`, readdirSync(`/proc/${pid}/fd`).length)
  }
  const [connections] = await database.rows<{ all: number; busy: number }>(
    `select count(*)::int as all, count(*) filter (where state = 'idle in transaction')::int as busy
       from pg_stat_activity where datname = current_database()`,
  )
  sample.set('database: connections', connections?.all ?? 0)
  sample.set('database: idle in a transaction', connections?.busy ?? 0)
  const tables = await database.rows<{ name: string; kilobytes: number }>(
    `select n.nspname || '.' || relname as name, (pg_total_relation_size(c.oid) / 1024)::int as kilobytes
       from pg_class c join pg_namespace n on n.oid = relnamespace
      where relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') order by 2 desc limit 14`,
  )
  for (const { name, kilobytes } of tables) sample.set(`table ${name}, kB`, kilobytes)
  return sample
}
