/**
 * A connection pooler in transaction mode gives a client another connection of the server for each transaction.
 * Settings, prepared statements and LISTEN get lost that way, now and then, long after the start.
 */
import type pg from 'pg'

/** @throws Error when one client gets different connections, or one that another client has used */
export async function requireSessions(open: () => Promise<pg.Client>): Promise<void> {
  const clients: pg.Client[] = []
  const opened = async () => {
    const client = await open()
    clients.push(client)
    return client
  }
  try {
    const first = await opened()
    const own = await serverProcessOf(first)
    // A pooler lends the connection that the first client has given back to one of these.
    for (let others = 0; others < 2; others += 1) {
      const other = await opened()
      await other.query('begin')
      if ((await serverProcessOf(other)) === own) throw notASession()
    }
    if ((await serverProcessOf(first)) !== own) throw notASession()
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()))
  }
}

async function serverProcessOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const [row] = rows
  if (row === undefined) throw new Error('The database did not tell its process.')
  return row.pid
}

function notASession(): Error {
  return new Error(
    'DATABASE_URL is wrong: a connection pooler in transaction mode answers there. Please set it to session mode, or name PostgreSQL itself.',
  )
}
