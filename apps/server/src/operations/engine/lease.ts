/**
 * A worker's lease: its row, in which it renews the heartbeat and records what it runs, on a connection of its own that
 * also listens for notifications. A worker that finds its row gone exits at once, and so does one that has got no
 * answer from the database for as long as a lease: by then other workers have its operations.
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
  /** Renews the heartbeat until then; claims that are left go back into the queue. */
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
  // Before anything is claimed: other workers must be able to take it over.
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
        await look(parts, connection, mayJudge)
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
    // A database that answers with an error is reachable: no other worker can renew its lease either, so work waits for
    // it.
    if (!databaseIsSilent(error)) beats.answered = performance.now()
    if (performance.now() - beats.answered <= leaseSeconds * 1000) return true
    log.error('the database has not answered for the whole lease of this worker: this process ends')
  }
  lost()
  return false
}

async function look({ leaseSeconds, log }: LeaseParts, connection: Connection, mayJudge: boolean): Promise<void> {
  try {
    const client = await connection.get()
    const dead = await rescue(client, leaseSeconds, mayJudge)
    if (dead > 0) log.warn({ workers: dead }, 'the operations of dead workers were put back into the line')
    if (!mayJudge) return
    const orphaned = await rescueOrphaned(client, leaseSeconds)
    if (orphaned > 0) log.error({ operations: orphaned }, 'operations that nobody ran were put back into the line')
  } catch (error) {
    connection.drop()
    log.warn({ err: error }, 'looking for dead workers failed')
  }
}

interface Connection {
  get(): Promise<pg.Client>
  /** The next call opens another. */
  drop(): void
}

/** A connection of its own, outside of the pool, that gives up in time for the lease. */
function createConnection({ database, leaseSeconds, onNotification }: LeaseParts): Connection {
  const patience = Math.max(1.5, leaseSeconds / 2)
  let current: pg.Client | null = null
  const forget = (client: pg.Client) => {
    if (current === client) current = null
    client.connection.stream.destroy()
  }
  return {
    async get() {
      if (current !== null) return current
      const limits = { statementSeconds: patience, answerSeconds: patience }
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
