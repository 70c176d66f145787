/**
 * The line for places on regions (REGION_CONCURRENCY each). An operation takes all of its places in one moment and
 * keeps them until it ends, whoever runs it; so operations that need two regions never wait for each other in a circle.
 * Whoever waits longer is served first: for each that waits, a place in each of its regions counts as taken for those
 * behind it. Triggers keep `operations.in_line` as these rows say.
 */
import { tryLockUntilCommit } from '#platform/advisory-locks.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'

/** Puts an attempt in line. @param regionIds whose places it takes, at least one */
export async function standInLine(
  tx: Tx,
  { operationId, attempt }: { operationId: string; attempt: number },
  regionIds: readonly number[],
): Promise<void> {
  await queryRows(
    tx,
    `with place as materialized (select nextval('operation_places_order') as n)
     insert into operation_places (operation_id, region_id, n, attempt)
     select $1, region_id, place.n, $3 from place, unnest($2::int[]) as region_id`,
    [operationId, [...new Set(regionIds)], attempt],
  )
}

/** Whether anybody waits for places. */
export async function someoneIsInLine({ db }: Database): Promise<boolean> {
  return (await queryRows(db, 'select from operation_places where not held limit 1')).length > 0
}

/**
 * Gives free places to those in front of the line; then they wait for a worker only.
 * @returns false when another process is at it, and may have looked before the last change
 */
export function givePlaces(database: Database, regionConcurrency: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    if (!(await tryLockUntilCommit(tx, 'capacity of regions'))) return false
    // A statement of its own: it sees what the last one who held the lock has given.
    await queryRows(tx, giveToTheFirst, [regionConcurrency])
    return true
  })
}

/** One that was cancelled in this moment has no rows any more. */
const giveToTheFirst = `
  with next as materialized (
    select distinct front.operation_id
      from (select distinct region_id from operation_places where not held) as busy
     cross join lateral (
       select operation_id from operation_places
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
     )
  )
  update operation_places p set held = true from next where p.operation_id = next.operation_id and not p.held`
