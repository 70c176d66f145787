/**
 * The line for places on regions (REGION_CONCURRENCY each). An operation takes all of its places in one moment and
 * keeps them until it ends, whoever runs it; so operations that need two regions never wait for each other in a circle.
 * Whoever waits longer is served first: for each that waits, a place in each of its regions counts as taken for those
 * behind it.
 */
import type { DBOSClient } from '@dbos-inc/dbos-sdk'
import type pg from 'pg'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { enqueue, type QueuedAttempt } from './queues.ts'

const placesLock = 7_204_005

/** Puts an attempt in line. @param regionIds whose places it takes, at least one */
export async function standInLine(tx: Tx, queued: QueuedAttempt, regionIds: readonly number[]): Promise<void> {
  await queryRows(
    tx,
    `with place as materialized (select nextval('operation_places_order') as n)
     insert into operation_places (operation_id, region_id, n, attempt, from_step)
     select $1, region_id, place.n, $3, $4 from place, unnest($2::int[]) as region_id`,
    [queued.operationId, [...new Set(regionIds)], queued.attempt, queued.from],
  )
}

/**
 * Gives free places to those in front of the line, and queues them.
 * @returns how many got theirs
 */
export async function givePlaces(database: Database, client: DBOSClient, regionConcurrency: number): Promise<number> {
  const waiting = await queryRows(database.db, 'select from operation_places where not held limit 1')
  if (waiting.length === 0) return 0
  return database.transaction(async (tx, connection) => {
    // One process at a time; another that comes meanwhile looks again soon.
    const [lock] = await queryRows<{ mine: boolean }>(tx, 'select pg_try_advisory_xact_lock($1) as mine', [placesLock])
    if (lock?.mine !== true) return 0
    const next = await nextInLine(tx, regionConcurrency)
    for (const queued of next) await giveTo(tx, connection, client, queued)
    return next.length
  })
}

function nextInLine(tx: Tx, regionConcurrency: number): Promise<QueuedAttempt[]> {
  return queryRows<QueuedAttempt>(
    tx,
    `select distinct front.operation_id as "operationId", front.attempt, front.from_step as "from"
       from (select distinct region_id from operation_places where not held) as busy
      cross join lateral (
        select operation_id, attempt, from_step from operation_places
         where region_id = busy.region_id and not held order by n limit $1
      ) as front
      where not exists (
        select from operation_places mine
         where mine.operation_id = front.operation_id and $1 <= (
           (select count(*) from operation_places other where other.region_id = mine.region_id and other.held)
           + (select count(*) from (
               select from operation_places before
                where before.region_id = mine.region_id and not before.held and before.n < mine.n limit $1
             ) as before)
         )
      )`,
    [regionConcurrency],
  )
}

async function giveTo(tx: Tx, connection: pg.PoolClient, client: DBOSClient, queued: QueuedAttempt): Promise<void> {
  // It may have been cancelled in this moment.
  const given = await queryRows(
    tx,
    'update operation_places set held = true where operation_id = $1 and attempt = $2 and not held returning region_id',
    [queued.operationId, queued.attempt],
  )
  if (given.length > 0) await enqueue(client, connection, queued)
}
