/** Holds rows of the database as another transaction would, to bring calls into a certain order. */
import { type Network, until } from '@roomkeeper/dev-env'
import pg from 'pg'

/** @param select locks rows */
export async function holdRows(network: Network, select: string, values: unknown[]) {
  const client = new pg.Client({ connectionString: network.database.url })
  await client.connect()
  await client.query('begin')
  await client.query(select, values)
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return {
    /** In the same transaction. */
    query: (text: string, more: unknown[]) => client.query(text, more),
    waitsFor: (calls: number) =>
      until(`${calls} wait`, async () => (await network.database.rows(waiting)).length === calls),
    async release() {
      await client.query('rollback')
      await client.end()
    },
  }
}
