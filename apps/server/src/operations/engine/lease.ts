/**
 * A worker's lease is its row in `workers`. The worker renews the heartbeat there and records what it runs, on a
 * connection of its own that also listens for notifications. It exits when it finds its row gone, or when the database
 * has not answered for the length of a lease: by then other workers have taken over its operations.
 *
 * Workers put orphaned operations back into the queue on the same connection: those of dead workers, and those that a
 * living worker has claimed but does not report as running. If this worker dies halfway, another one does the rest.
 */

import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type pg from 'pg'
import type { Database } from '#platform/database.ts'
import { databaseIsSilent } from '#platform/database-errors.ts'
import { isNear } from '#platform/database-time.ts'
import type { Log } from '#platform/log.ts'
import { pause } from '#platform/pause.ts'
import { hasCode } from '#platform/system-error.ts'

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

interface WorkerRow extends WorkerProcess {
  id: string
  stale: boolean
  hasOrphaned: boolean
}

interface Rescued {
  /** How many workers were found dead. */
  dead: number
  /** Whether there are operations for `rescueOrphaned`. */
  hasOrphaned: boolean
}

/**
 * @param mayJudge whether this worker has renewed its heartbeat for the length of a lease. After an outage of the
 * database every heartbeat is old, and the first worker to return must not take the others for dead.
 */
async function rescue(client: pg.Client, leaseSeconds: number, mayJudge: boolean): Promise<Rescued> {
  const { rows } = await client.query<WorkerRow>(
    `select id, machine, pid, pid_began as "pidBegan",
            not (${isNear('heartbeat_at', '$1')}) as stale,
            exists (${claimedButNotRun}) or exists (select from operations where ${waitsWithoutQueueEntry}) as "hasOrphaned"
       from workers`,
    [leaseSeconds],
  )
  const gone = rows.filter((each) => isGone(each)).map(({ id }) => id)
  const stale = mayJudge ? rows.filter((each) => each.stale).map(({ id }) => id) : []
  if (gone.length + stale.length > 0) await endLeases(client, gone, stale, leaseSeconds)
  return { dead: new Set([...gone, ...stale]).size, hasOrphaned: rows.some(({ hasOrphaned }) => hasOrphaned) }
}

/** Operations that were claimed more than two leases ago ($1: seconds of one) and that their worker does not report. */
const claimedButNotRun = `
  select o.id from operations o join workers w on w.id = o.worker_id
   where o.claimed_at not between now() - make_interval(secs => 2 * $1) and now() + make_interval(secs => $1) and not o.id = any(w.running)`

/** Open operations that are marked as waiting for slots, but are not in the queue for any. */
const waitsWithoutQueueEntry = `
  awaits_slots and not exists (select from operation_slots p where p.operation_id = operations.id and not p.held)
  and state in ('waiting', 'running', 'cancelling')`

/**
 * Skips an operation whose row a frozen process keeps locked; the row of its worker stays until it can be released.
 * @param gone workers whose process no longer exists
 * @param stale workers that are dead if their heartbeat is still old
 */
async function endLeases(
  client: pg.Client,
  gone: readonly string[],
  stale: readonly string[],
  leaseSeconds: number,
): Promise<void> {
  await client.query('begin')
  try {
    const { rows } = await client.query<{ id: string }>(
      `select id from workers
        where id = any($1) or (id = any($2) and not (${isNear('heartbeat_at', '$3')}))
          for update skip locked`,
      [gone, stale, leaseSeconds],
    )
    const ids = rows.map(({ id }) => id)
    await client.query(
      `update operations set worker_id = null
        where id in (select id from operations where worker_id = any($1) for update skip locked)`,
      [ids],
    )
    await client.query(
      'delete from workers w where id = any($1) and not exists (select from operations o where o.worker_id = w.id)',
      [ids],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Trusts a claim for the length of two leases: by then its worker has reported what it runs. */
async function rescueOrphaned(client: pg.Client, leaseSeconds: number): Promise<number> {
  const { rowCount } = await client.query(
    `update operations set worker_id = null where id in (${claimedButNotRun} for update of o skip locked)`,
    [leaseSeconds],
  )
  const { rowCount: fromQueue } = await client.query(
    `update operations set awaits_slots = false where ${waitsWithoutQueueEntry}`,
  )
  return (rowCount ?? 0) + (fromQueue ?? 0)
}

/**
 * Identifies the process of a worker. Workers check whether the processes of other workers on the same machine still
 * exist, so that after a crash no worker has to wait for a lease to expire. This works only on Linux; elsewhere, and
 * for workers on other machines or in other containers, the lease decides.
 */
interface WorkerProcess {
  /** A hash of machine, boot and container, within which process ids are comparable. null: unknown. */
  machine: string | null
  pid: number
  /** In ticks since the machine booted: tells a reused process id from the original. */
  pidBegan: string | null
}

function thisProcess(): WorkerProcess {
  return { machine: thisMachine(), pid: process.pid, pidBegan: beganAt(process.pid) ?? null }
}

/** True only if the process ran on this machine and certainly no longer exists. */
function isGone({ machine, pid, pidBegan }: { [Key in keyof WorkerProcess]: WorkerProcess[Key] | null }): boolean {
  if (machine === null || pid === null || machine !== thisMachine()) return false
  const began = beganAt(pid)
  return began !== undefined && began !== pidBegan
}

let known: string | null | undefined
function thisMachine(): string | null {
  known ??= readMachine()
  return known
}

function readMachine(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
    const container = readlinkSync('/proc/self/ns/pid')
    return createHash('sha256').update(`${hostname()}\n${boot}\n${container}`).digest('hex')
  } catch {
    return null
  }
}

/** null: there is no such process; undefined: unknown, for example without free file handles. */
function beganAt(pid: number): string | null | undefined {
  try {
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? ''
    const [state] = afterName.split(' ')
    return state === 'Z' || state === 'X' ? null : (afterName.split(' ')[19] ?? null)
  } catch (error) {
    return hasCode(error, 'ENOENT', 'ESRCH') ? null : undefined
  }
}
