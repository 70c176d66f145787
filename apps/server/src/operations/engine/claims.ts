/** Claims operations. Only the record says who runs one; the statement that claims it also raises its fence. */
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { prepared } from '#platform/prepared-statements.ts'
import type { Failure } from './tables.ts'

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
  /** Whether also those that hold slots of regions for somebody who waits. */
  withSlots: boolean
  /** Whether also those that hold slots in the background. */
  inBackground: boolean
}

/** Claims the operations that have waited longest. Kinds that this process does not know are left to others. */
export function claimOperations(
  db: Db,
  workerId: string,
  known: readonly KnownVersion[],
  { withSlots, inBackground, most }: Claimable & { most: number },
): Promise<ClaimedOperation[]> {
  return queryRows<ClaimedOperation>(db, claimNext, [
    workerId,
    known.map(({ kind }) => kind),
    known.map(({ version }) => version),
    withSlots,
    inBackground,
    most,
  ])
}

const claimNext = prepared(
  `with next as materialized (
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
              from operation_slots p where p.operation_id = o.id) as slots`,
)

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
  { withSlots, inBackground }: Claimable,
): Promise<WorkPoll> {
  const [poll] = await queryRows<WorkPoll>(db, workPoll, [
    workerId,
    known.map(({ kind }) => kind),
    known.map(({ version }) => version),
    withSlots,
    inBackground,
  ])
  return poll ?? { claims: [], hasClaimable: false, hasWaiting: false }
}

const workPoll = prepared(
  `select coalesce((select jsonb_agg(jsonb_build_object('id', id, 'cancelRequested', cancel_requested))
                        from operations where worker_id = $1), '[]') as claims,
            exists (select from operations where ${claimable}) as has_claimable,
            exists (select from operation_slots where not held) as has_waiting`,
)

/** Stops the step under way at once, not only when its worker polls. */
export async function notifyCancelled(tx: Tx, operationId: string): Promise<void> {
  await queryRows(tx, `select pg_notify('roomkeeper_work', 'cancel ' || $1::uuid)`, [operationId])
}

/** Puts operations back into the queue, unless another worker has claimed them since. */
export async function releaseClaims(db: Db, workerId: string, ids: readonly string[]): Promise<void> {
  await queryRows(db, 'update operations set worker_id = null where id = any($1::uuid[]) and worker_id = $2', [
    ids,
    workerId,
  ])
}

/**
 * For the doctor: open operations that could be run, but that nobody has run for this many seconds. `claimed`: its
 * worker does not report it as running; `line`: marked as waiting for slots, but not in the queue for any.
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
