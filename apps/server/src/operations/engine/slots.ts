/**
 * The queue for slots on regions (REGION_CONCURRENCY each). An operation gets all of its slots at the same moment and
 * keeps them until it ends, whichever worker runs it, so operations that need two regions never deadlock. The oldest is
 * served first: each waiting operation counts as holding a slot in each of its regions for the operations behind it.
 * Operations in the background stand behind all others and leave one slot of each region free, if it has more than one.
 * `operations.awaits_slots` is true while an operation waits here; its end frees its slots (end-operations.ts).
 */
import { tryLockUntilCommit } from '#platform/advisory-locks.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { prepared } from '#platform/prepared-statements.ts'

export interface QueuedOperation {
  operationId: string
  /** Behind the operations that an operator waits for. */
  background: boolean
}

/**
 * Puts an operation into the queue, and notifies the workers. The caller has set its `awaits_slots`.
 * @param regionIds the regions whose slots it needs, at least one
 */
export async function enqueue(
  tx: Tx,
  { operationId, background }: QueuedOperation,
  regionIds: readonly number[],
): Promise<void> {
  await queryRows(
    tx,
    `with next as materialized (select nextval('operation_slots_queue_number') as queue_number), queued as (
       insert into operation_slots (operation_id, region_id, queue_number, background)
       select $1, region_id, next.queue_number, $3 from next, unnest($2::int[]) as region_id
     )
     select pg_notify('roomkeeper_work', 'operation_slots')`,
    [operationId, [...new Set(regionIds)], background],
  )
}

/**
 * Assigns free slots to the operations at the front of the queue, which then only wait for a worker.
 * @returns false when another process is doing so, which may not see the latest change
 */
export function assignSlots(database: Database, regionConcurrency: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    if (!(await tryLockUntilCommit(tx, 'capacity of regions'))) return false
    // A separate statement has a newer snapshot, which shows what the previous holder of the lock assigned.
    await queryRows(tx, assignToTheFirst, [regionConcurrency])
    return true
  })
}

/**
 * An operation in the background needs, in each of its regions, a slot that is left by all before it and by all others
 * in the background, of one slot less. If an operation is cancelled meanwhile, its rows are gone, so it is assigned no
 * slots.
 */
const assignToTheFirst = prepared(`
  with next as materialized (
    select distinct front.operation_id
      from (select distinct region_id from operation_slots where not held) as busy
     cross join lateral (
       select operation_id from operation_slots
        where region_id = busy.region_id and not held order by background, queue_number limit $1
     ) as front
     where not exists (
       select from operation_slots mine
        cross join lateral (
          select count(*) as all_of_them, count(*) filter (where other.background) as in_background
            from operation_slots other where other.region_id = mine.region_id and other.held
        ) as holding
        cross join lateral (
          select count(*) as all_of_them, count(*) filter (where before.background) as in_background
            from (
              select background from operation_slots before
               where before.region_id = mine.region_id and not before.held
                 and (before.background, before.queue_number) < (mine.background, mine.queue_number)
               limit $1
            ) as before
        ) as waiting
        where mine.operation_id = front.operation_id
          and ($1 <= holding.all_of_them + waiting.all_of_them
            or mine.background and greatest($1 - 1, 1) <= holding.in_background + waiting.in_background)
     )
  )
, assigned as (
    update operation_slots p set held = true from next where p.operation_id = next.operation_id and not p.held
    returning p.operation_id
  )
  update operations set awaits_slots = false where id in (select operation_id from assigned) and awaits_slots`)
