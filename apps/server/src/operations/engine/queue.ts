/**
 * The queue. A worker may claim an open operation that has no worker and does not wait for slots. Only the operation's
 * row says which worker runs it; the statement that claims it also raises its fence.
 *
 * Slots on regions (REGION_CONCURRENCY each) have a queue of their own. An operation gets all its slots at once, so
 * operations that need two regions cannot deadlock, and keeps them until it ends, even if another worker takes over.
 * The oldest is served first: each waiting operation counts as holding a slot in each of its regions for the operations
 * behind it. Operations in the background stand behind all others and leave one slot of each region free, if it has more
 * than one. `operations.awaits_slots` is true while an operation waits here; its end frees its slots (end-operations.ts).
 */
import type { Reasons } from '@roomkeeper/contract'
import { tryLockUntilCommit } from '#platform/advisory-locks.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'

export interface ClaimedOperation {
  id: string
  kind: string
  version: number
  roomId: string | null
  roomName: string
  regionId: number | null
  input: unknown
  startedBy: string
  requestId: string | null
  attempt: number
  fence: number
  /** Why the operation is being undone; null: it is not being undone because of a failure. */
  failure: Failure | null
  cancelRequested: boolean
  /** Of the span that started this attempt; null: nothing was traced. */
  traceparent: string | null
  slots: HeldSlots
}

export interface Failure {
  reasons: Reasons
  /** For the kind only. */
  failureCode: string | null
  /** Something of it has taken effect after all, and stays. */
  tookEffect?: boolean
}

/** Which slots of regions an operation holds. Those that hold some count towards what a worker runs at the same time. */
export type HeldSlots = 'none' | 'foreground' | 'background'

/** A kind and one of its versions. */
export interface KnownVersion {
  kind: string
  version: number
}

const open = `state in ('waiting', 'running', 'cancelling')`

const claimable = `worker_id is null and not awaits_slots and ${open}
          and (kind, version) in (select * from unnest($2::text[], $3::int[]))
          and not exists (select from operation_slots p
                           where p.operation_id = operations.id and not case when p.background then $5::boolean else $4::boolean end)`

/** Operations without slots may always be claimed. */
export interface Claimable {
  /** Whether operations that hold slots, but are not in the background, may be claimed. */
  inForeground: boolean
  /** Whether operations that hold slots in the background may be claimed. */
  inBackground: boolean
}

/** Claims the operations that have waited longest. Kinds that this process does not know are left to others. */
export function claimOperations(
  db: Db,
  workerId: string,
  known: readonly KnownVersion[],
  { inForeground, inBackground, most }: Claimable & { most: number },
): Promise<ClaimedOperation[]> {
  return queryRows<ClaimedOperation>(db, claimNext, [
    workerId,
    known.map(({ kind }) => kind),
    known.map(({ version }) => version),
    inForeground,
    inBackground,
    most,
  ])
}

const claimNext = `with next as materialized (
       select id from operations
        where ${claimable}
        order by executed_at, id limit $6 for update skip locked
     )
     update operations o
        set worker_id = $1, claimed_at = now(), fence = fence + 1,
            executed_at = case when state = 'waiting' then now() else executed_at end,
            state = case when cancel_requested then 'cancelling' else 'running' end
       from next where o.id = next.id
     returning o.id, kind, version, room_id, room_name, region_id, input, started_by, request_id, attempt, fence, failure,
           cancel_requested, traceparent,
           (select case bool_or(p.background) when true then 'background' when false then 'foreground' else 'none' end
              from operation_slots p where p.operation_id = o.id) as slots`

export interface ClaimState {
  id: string
  cancelRequested: boolean
}

export interface WorkPoll {
  /** The operations that this worker has claimed according to their records. */
  claims: ClaimState[]
  /** Whether it may claim more. */
  hasClaimable: boolean
  /** Whether any operation waits for slots. */
  hasWaiting: boolean
}

/** What a poll needs to know, in one statement, because workers poll all the time. */
export async function pollWork(
  db: Db,
  workerId: string,
  known: readonly KnownVersion[],
  { inForeground, inBackground }: Claimable,
): Promise<WorkPoll> {
  const [poll] = await queryRows<WorkPoll>(db, workPoll, [
    workerId,
    known.map(({ kind }) => kind),
    known.map(({ version }) => version),
    inForeground,
    inBackground,
  ])
  return poll ?? { claims: [], hasClaimable: false, hasWaiting: false }
}

const workPoll = `select coalesce((select jsonb_agg(jsonb_build_object('id', id, 'cancelRequested', cancel_requested))
                        from operations where worker_id = $1), '[]') as claims,
            exists (select from operations where ${claimable}) as has_claimable,
            exists (select from operation_slots where not held) as has_waiting`

/** Puts operations back into the queue, unless another worker has claimed them since. */
export async function releaseClaims(db: Db, workerId: string, ids: readonly string[]): Promise<void> {
  await queryRows(db, 'update operations set worker_id = null where id = any($1::uuid[]) and worker_id = $2', [
    ids,
    workerId,
  ])
}

/**
 * For the doctor: open operations that no worker has run for this many seconds, although they could run. `unclaimed`:
 * no worker has claimed it. `claimed`: its worker does not report it as running. `line`: it is marked as waiting for
 * slots, but is not in the queue for any.
 */
export function findOrphaned(
  db: Db,
  seconds: number,
): Promise<{ id: string; kind: string; version: number; roomName: string; why: 'unclaimed' | 'claimed' | 'line' }[]> {
  return queryRows(
    db,
    `select o.id, o.kind, o.version, o.room_name,
            case when o.awaits_slots then 'line' when o.worker_id is null then 'unclaimed' else 'claimed' end as why
       from operations o left join workers w on w.id = o.worker_id
      where o.${open} and coalesce(o.claimed_at, o.executed_at) < now() - make_interval(secs => $1)
        and case when o.awaits_slots then not exists (select from operation_slots p where p.operation_id = o.id and not p.held)
                 else w.id is null or not o.id = any(w.running) end
      order by o.executed_at limit 1000`,
    [seconds],
  )
}

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
 * In each of its regions, an operation needs a slot that is neither held nor left to an operation before it. Operations
 * in the background may hold all slots of a region but one, or the only one. An operation that was cancelled meanwhile
 * has no rows here any more, so it gets no slots.
 */
const assignToTheFirst = `
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
  update operations set awaits_slots = false where id in (select operation_id from assigned) and awaits_slots`
