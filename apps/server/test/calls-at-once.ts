import { until } from '@roomkeeper/dev-env'
import pg from 'pg'

interface Rows {
  url: string
  rows<Row>(text: string): Promise<Row[]>
}

/**
 * Makes the second call while the first has changed its rows and not yet committed. The first stops where it writes the
 * audit trail, at the end of its transaction; the second goes on until it has to wait for the first, or stops there too.
 */
export async function callWhileUncommitted<First, Second>(
  database: Rows,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[PromiseSettledResult<First>, PromiseSettledResult<Second>]> {
  const blocking = new pg.Client({ connectionString: database.url })
  await blocking.connect()
  try {
    await blocking.query('begin; lock table audit in share mode')
    const one = Promise.allSettled([first()])
    await until('the first call stands before its commit', async () => (await waiting(database)) === 1)
    const other = Promise.allSettled([second()])
    await until('the second call waits', async () => (await waiting(database)) === 2)
    await blocking.query('rollback')
    return [(await one)[0], (await other)[0]]
  } finally {
    await blocking.end()
  }
}

async function waiting({ rows }: Rows): Promise<number> {
  const found = await rows(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return found.length
}
