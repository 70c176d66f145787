/**
 * Puts orphaned operations back into the queue: those of dead workers, and those that a living worker has claimed but
 * does not report as running. Everything happens on the connection of the lease; if this worker dies halfway, another
 * worker does the rest.
 */
import type pg from 'pg'
import { isNear } from '#platform/database-time.ts'
import { isGone, type WorkerProcess } from './worker-process.ts'

interface WorkerRow extends WorkerProcess {
  id: string
  stale: boolean
  hasOrphaned: boolean
}

export interface Rescued {
  /** How many workers were found dead. */
  dead: number
  /** Whether there are operations for `rescueOrphaned`. */
  hasOrphaned: boolean
}

/**
 * @param mayJudge whether this worker has renewed its heartbeat for the length of a lease. After an outage of the
 * database every heartbeat is old, and the first worker to return must not take the others for dead.
 */
export async function rescue(client: pg.Client, leaseSeconds: number, mayJudge: boolean): Promise<Rescued> {
  const { rows } = await client.query<WorkerRow>(
    `select id, machine, pid, pid_began as "pidBegan",
            not (${isNear('heartbeat_at', '$1')}) as stale,
            exists (${claimedByNobody}) or exists (select from operations where ${queuedForNothing}) as "hasOrphaned"
       from workers`,
    [leaseSeconds],
  )
  const gone = rows.filter((each) => isGone(each)).map(({ id }) => id)
  const stale = mayJudge ? rows.filter((each) => each.stale).map(({ id }) => id) : []
  if (gone.length + stale.length > 0) await endLeases(client, gone, stale, leaseSeconds)
  return { dead: new Set([...gone, ...stale]).size, hasOrphaned: rows.some(({ hasOrphaned }) => hasOrphaned) }
}

/** Claimed, for two leases ($1 seconds each) already, by a worker that does not report it as running. */
const claimedByNobody = `
  select o.id from operations o join workers w on w.id = o.worker_id
   where o.claimed_at not between now() - make_interval(secs => 2 * $1) and now() + make_interval(secs => $1) and not o.id = any(w.running)`

/** Marked as waiting for slots, but not in the queue for any. */
const queuedForNothing = `
  awaits_slots and not exists (select from operation_slots p where p.operation_id = operations.id and not p.held)
  and state in ('waiting', 'running', 'cancelling')`

/**
 * Skips an operation whose row a frozen process keeps locked; the row of its worker stays until it can be released.
 * @param gone workers whose process no longer exists
 * @param stale workers that are dead if their heartbeat is still old
 */
export async function endLeases(
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
export async function rescueOrphaned(client: pg.Client, leaseSeconds: number): Promise<number> {
  const { rowCount } = await client.query(
    `update operations set worker_id = null where id in (${claimedByNobody} for update of o skip locked)`,
    [leaseSeconds],
  )
  const { rowCount: fromQueue } = await client.query(
    `update operations set awaits_slots = false where ${queuedForNothing}`,
  )
  return (rowCount ?? 0) + (fromQueue ?? 0)
}
