/**
 * What an operation has sent to a region may outlast it: a call whose answer was lost may lie in a queue for as long as a
 * day, and do its work when later operations have done the opposite. So an operation leaves a record, with its end, of each
 * region where that may be so. The region is told to refuse such calls as soon as it can be reached, and at the latest
 * before anything is done there for the same room.
 */
import { type CallMark, type RegionClient, RegionRefusal, typeOfRegion } from '@roomkeeper/region-protocol'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuseAllOf } from './own-fence.ts'

/**
 * Where the operations that this process runs wait for an answer in vain. It need not outlive the process: whoever takes
 * an operation over has a higher fence.
 */
const unanswered = new Map<string, { regions: Set<number>; since: number }>()
/** Nothing is on its way for longer. */
const dayMilliseconds = 24 * 60 * 60_000

/** An operation's own fences are named after it. */
const operationOf = (mark: CallMark) => mark.operation.split(':')[0] ?? mark.operation

/** After a call that has failed. */
export function noteUnanswered(mark: CallMark, regionId: number, error: unknown): void {
  if (isAnswer(error)) return
  const now = Date.now()
  for (const [id, { since }] of unanswered) if (now - since > dayMilliseconds) unanswered.delete(id)
  const regions = unanswered.get(operationOf(mark))?.regions ?? new Set()
  unanswered.set(operationOf(mark), { regions: regions.add(regionId), since: now })
}

/** What only stands before a region may have kept the call, whatever it says. */
function isAnswer(error: unknown): boolean {
  return error instanceof RegionRefusal && error.type.startsWith(typeOfRegion)
}

export interface EndedOperation {
  id: string
  fence: number
  /** Those that it has to do with. */
  regionIds: readonly number[]
}

/**
 * In the transaction that ends it. One whose fence was raised was taken over, retried or put back: what was sent before
 * that nobody has waited for.
 * @returns whether something may be on its way
 */
export async function recordLateCalls(tx: Tx, { id, fence, regionIds }: EndedOperation): Promise<boolean> {
  const regions = new Set([...(unanswered.get(id)?.regions ?? []), ...(fence > 1 ? regionIds : [])])
  if (regions.size === 0) return false
  await queryRows(
    tx,
    `insert into late_calls (operation_id, region_id, room_id, fence)
     select o.id, region.id, coalesce(o.room_id::text, o.input->>'roomId'), $3
       from operations o, unnest($2::int[]) as region(id) where o.id = $1
     on conflict (operation_id, region_id) do update set fence = excluded.fence, ended_at = now()`,
    [id, [...regions], fence],
  )
  return true
}

export function forgetUnanswered(operationId: string): void {
  unanswered.delete(operationId)
}

/**
 * Before the first call of an operation that changes something on the region.
 * @param plain of the same region; its calls are not looked at
 */
export async function refuseBefore(db: Db, plain: RegionClient, regionId: number, mark: CallMark): Promise<void> {
  const late = await queryRows<LateCall>(
    db,
    `select late.operation_id, late.region_id, late.fence from late_calls late
       left join (select coalesce(room_id::text, input->>'roomId') as room_id from operations where id = $2) mine on true
      where late.region_id = $1 and late.operation_id <> $2
        and (late.room_id = mine.room_id or late.room_id is null or mine.room_id is null)`,
    [regionId, operationOf(mark)],
  )
  await refuseEach(db, plain, late)
}

export interface LateCall {
  operationId: string
  regionId: number
  fence: number
}

/** @throws RegionUnreachable, RegionRefusal */
export async function refuseEach(db: Db, plain: RegionClient, late: readonly LateCall[]): Promise<void> {
  for (const { operationId: id, regionId, fence } of late) {
    await refuseAllOf(plain, { id, fence }, { key: `${id}:late` })
    // Unless it was retried, and has ended again, since.
    await queryRows(db, 'delete from late_calls where operation_id = $1 and region_id = $2 and fence = $3', [
      id,
      regionId,
      fence,
    ])
  }
}
