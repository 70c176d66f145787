/**
 * A worker's lease is its row in `workers`. The worker renews the heartbeat there and records what it runs, on a
 * connection of its own that also listens for notifications. It exits when it finds its row gone, or when the database
 * has not answered for the length of a lease: by then other workers have taken over its operations.
 */
import type pg from 'pg'
import type { Database } from '#platform/database.ts'
import { databaseIsSilent } from '#platform/database-errors.ts'
import type { Log } from '#platform/log.ts'
import { pause } from '#platform/pause.ts'
import { endLeases, rescue, rescueOrphaned } from './rescue.ts'
import { thisProcess } from './worker-process.ts'

export interface LeaseParts {
  id: string
  database: Database
  leaseSeconds: number
  log: Log
  /** The operations that this worker runs. */
  running(): string[]
  /** The payload of a NOTIFY; `everything` when some may have been missed. */
  onNotification(notification: string): void
  lost(): void
}

export interface Lease {
  /** Stops renewing the heartbeat and deletes the row; remaining claims go back into the queue. */
  end(): Promise<void>
}

const longestBeatMilliseconds = 1000
const rescueMilliseconds = 1500

/** @throws Error when the database cannot be reached */
export async function takeLease(parts: LeaseParts): Promise<Lease> {
  const { id, leaseSeconds, log } = parts
  const ending = new AbortController()
  const connection = createConnection(parts)
  const { machine, pid, pidBegan } = thisProcess()
  // The row comes before the first claim: other workers take over the claims of a dead worker by its row.
  await (await connection.get()).query('insert into workers (id, machine, pid, pid_began) values ($1, $2, $3, $4)', [
    id,
    machine,
    pid,
    pidBegan,
  ])
  const beats = { since: performance.now(), answered: performance.now() }
  const beating = (async () => {
    for (let checked = Number.NEGATIVE_INFINITY; !ending.signal.aborted; ) {
      if (!(await beat(parts, connection, beats))) return
      if (performance.now() - checked >= Math.max(rescueMilliseconds, leaseSeconds * 250)) {
        checked = performance.now()
        const mayJudge = performance.now() - beats.since > leaseSeconds * 1000
        await rescueOperations(parts, connection, mayJudge)
      }
      await pause(Math.min(longestBeatMilliseconds, leaseSeconds * 200), ending.signal)
    }
  })()
  return {
    async end() {
      ending.abort()
      await beating
      try {
        await endLeases(await connection.get(), [id], [], leaseSeconds)
      } catch (error) {
        log.warn({ err: error }, 'the lease could not be given back; it runs out')
      }
      connection.drop()
    },
  }
}

/** @returns false when the lease is lost */
async function beat(
  { id, running, lost, log, leaseSeconds }: LeaseParts,
  connection: Connection,
  beats: { since: number; answered: number },
): Promise<boolean> {
  try {
    const { rowCount } = await (await connection.get()).query(
      'update workers set heartbeat_at = now(), running = $2::uuid[] where id = $1',
      [id, running()],
    )
    beats.answered = performance.now()
    if (rowCount !== 0) return true
    log.error('the lease of this worker was lost: this process ends')
  } catch (error) {
    connection.drop()
    log.warn({ err: error }, 'heartbeat failed')
    beats.since = performance.now()
    // A database that answers with an error is reachable, but no other worker can renew its lease either: work waits
    // for the database.
    if (!databaseIsSilent(error)) beats.answered = performance.now()
    if (performance.now() - beats.answered <= leaseSeconds * 1000) return true
    log.error('the database has not answered for the whole lease of this worker: this process ends')
  }
  lost()
  return false
}

async function rescueOperations(
  { leaseSeconds, log }: LeaseParts,
  connection: Connection,
  mayJudge: boolean,
): Promise<void> {
  try {
    const client = await connection.get()
    const { dead, hasOrphaned } = await rescue(client, leaseSeconds, mayJudge)
    if (dead > 0) log.warn({ workers: dead }, 'the operations of dead workers were put back into the line')
    if (!mayJudge || !hasOrphaned) return
    const orphaned = await rescueOrphaned(client, leaseSeconds)
    if (orphaned > 0) log.error({ operations: orphaned }, 'operations that nobody ran were put back into the line')
  } catch (error) {
    connection.drop()
    log.warn({ err: error }, 'looking for dead workers failed')
  }
}

interface Connection {
  get(): Promise<pg.Client>
  /** Closes the connection; the next `get` opens another. */
  drop(): void
}

/** A connection outside the pool whose statements time out well before the lease does. */
function createConnection({ database, leaseSeconds, onNotification }: LeaseParts): Connection {
  const limitSeconds = Math.max(1.5, leaseSeconds / 2)
  let current: pg.Client | null = null
  const forget = (client: pg.Client) => {
    if (current === client) current = null
    client.connection.stream.destroy()
  }
  return {
    async get() {
      if (current !== null) return current
      const limits = { statementSeconds: limitSeconds, answerSeconds: limitSeconds }
      const client = await database.openConnection({ name: 'roomkeeper worker', ...limits })
      client.on('error', () => forget(client))
      client.on('end', () => forget(client))
      client.on('notification', ({ payload }) => onNotification(payload ?? ''))
      try {
        await client.query('listen roomkeeper_work')
      } catch (error) {
        forget(client)
        throw error
      }
      current = client
      onNotification('everything')
      return client
    },
    drop() {
      if (current !== null) forget(current)
    },
  }
}
