/**
 * Late calls reach their region after their operation has ended. A call whose answer was lost may be queued on the way
 * for up to a day, and take effect after later operations have done the opposite. So the end of an operation records
 * each region where that may happen. The region is told to refuse such calls as soon as it can be reached, at the
 * latest before anything else is done there for the same room.
 */
import { type CallMark, type RegionClient, RegionRefusal, refusalTypePrefix } from '@roomkeeper/region-protocol'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuseCallsOf } from './own-fence.ts'

/**
 * Regions that did not answer calls of operations in this process. The map need not outlive the process, because a
 * worker that takes over has a higher fence.
 */
const unanswered = new Map<string, { regions: Set<number>; since: number }>()
/** No call can be on its way for longer than this. */
const dayMilliseconds = 24 * 60 * 60_000

/** The `operation` of a mark with an own fence starts with the operation's id (own-fence.ts). */
const operationOf = (mark: CallMark) => mark.operation.split(':')[0] ?? mark.operation

/** Called after a call that has failed. */
export function recordUnanswered(mark: CallMark, regionId: number, error: unknown): void {
  if (isAnswer(error)) return
  const now = performance.now()
  for (const [id, { since }] of unanswered) if (now - since > dayMilliseconds) unanswered.delete(id)
  const regions = unanswered.get(operationOf(mark))?.regions ?? new Set()
  unanswered.set(operationOf(mark), { regions: regions.add(regionId), since: now })
}

/** Only a refusal by the region itself counts: a proxy in front of it may answer and still have queued the call. */
function isAnswer(error: unknown): boolean {
  return error instanceof RegionRefusal && error.type.startsWith(refusalTypePrefix)
}

export interface EndedOperation {
  id: string
  fence: number
  /** The regions that the operation works on. */
  regionIds: readonly number[]
}

/**
 * Called in the transaction that ends the operation. If its fence was raised, the operation was taken over, retried or
 * undone, and no worker has waited for the calls that were sent before.
 * @returns whether late calls are possible
 */
export async function recordLateCalls(tx: Tx, { id, fence, regionIds }: EndedOperation): Promise<boolean> {
  const regions = new Set([...(unanswered.get(id)?.regions ?? []), ...(fence > 1 ? regionIds : [])])
  if (regions.size === 0) return false
  await queryRows(
    tx,
    `insert into late_calls (operation_id, region_id, room_id, fence)
     select o.id, region.id, coalesce(o.room_id::text, o.input->>'roomId'), $3
       from operations o, unnest($2::int[]) as region(id) where o.id = $1
     on conflict (operation_id, region_id) do update set fence = excluded.fence, ended_at = steady_now()`,
    [id, [...regions], fence],
  )
  return true
}

export function forgetUnanswered(operationId: string): void {
  unanswered.delete(operationId)
}

/**
 * Called before an operation's first call that changes something on the region.
 * @param plain a client of the same region without this check
 */
export async function refuseLateCalls(db: Db, plain: RegionClient, regionId: number, mark: CallMark): Promise<void> {
  const late = await queryRows<LateCall>(
    db,
    `select late.operation_id, late.region_id, late.fence from late_calls late
       left join (select coalesce(room_id::text, input->>'roomId') as room_id from operations where id = $2) mine on true
      where late.region_id = $1 and late.operation_id <> $2
        and (late.room_id = mine.room_id or late.room_id is null or mine.room_id is null)`,
    [regionId, operationOf(mark)],
  )
  await refuseEachLateCall(db, plain, late)
}

export interface LateCall {
  operationId: string
  regionId: number
  fence: number
}

/** @throws RegionUnreachable, RegionRefusal */
export async function refuseEachLateCall(db: Db, plain: RegionClient, late: readonly LateCall[]): Promise<void> {
  for (const { operationId: id, regionId, fence } of late) {
    await refuseCallsOf(plain, [{ id, fence }], { key: `${id}:late` })
    // The fence keeps the row of an operation that was retried and has ended again meanwhile.
    await queryRows(db, 'delete from late_calls where operation_id = $1 and region_id = $2 and fence = $3', [
      id,
      regionId,
      fence,
    ])
  }
}
