/**
 * The preflight of a bulk: for how many of the selected rooms the action is possible now, and why not for the others.
 * The rooms are counted by what the rules ask about them, so a million rooms are a few dozen groups.
 */
import {
  type BulkPreflight,
  type BulkRequest,
  because,
  type CodedReason,
  englishReason,
  type FailureCause,
  type ProcessType,
  type ProjectRoomState,
  type RegionState,
  type Role,
  roomsAtMost,
} from '@roomkeeper/contract'
import { isAdministrator, mayTakeInBulk } from '@roomkeeper/rules'
import { sql } from 'kysely'
import { failedLast, type OperationsCore, previewRetries, type RetryPreview } from '#operations/index.ts'
import { type Db, queryBuilt, queryRows, type Tx } from '#platform/database.ts'
import { failureCauseSql, hasPinnedNoteSql, pinnedNoteParts } from '#rooms/index.ts'
import {
  type Action,
  actionOf,
  checkParameters,
  type LastDay,
  type MoveTarget,
  sendsMails,
  waitsUntilBack,
  whyNotAllowed,
  whyNotExtend,
  whyNotOfCause,
  worksInAnyRegion,
} from './actions.ts'
import { waitingRetries } from './retries-of-regions.ts'
import { isSelected, keepSelection, type Selected } from './selection.ts'

const mostExamples = 5

export async function preflight(core: OperationsCore, request: BulkRequest, role: Role): Promise<BulkPreflight> {
  const { db } = core.database
  const action = actionOf(request)
  const target = await checkParameters(db, action)
  const where = await isSelected(db, request.selection)
  const groups = await groupsOf(db, where, action)
  const retries = await previewGroups(core, db, action, groups, role)
  const byReason = new Map<string, { reason: CodedReason; count: number; examples: string[] }>()
  const byProcess = new Map<ProcessType, number>()
  let [total, possible, mails] = [0, 0, 0]
  for (const group of groups) {
    total += group.count
    const retry = retries.get(group.failedId ?? '')
    const reason = whyNotGroup(action, group, role, target) ?? retry?.refusal ?? null
    if (reason !== null) add(byReason, reason, group)
    else {
      possible += group.count
      mails += group.mails
      if (retry?.process) byProcess.set(retry.process, (byProcess.get(retry.process) ?? 0) + group.count)
    }
  }
  if (target?.freeCapacity != null && possible > target.freeCapacity) {
    const reason = because('move-capacity', { region: target.name })
    add(byReason, reason, { count: possible - target.freeCapacity, examples: [] })
    possible = target.freeCapacity
  }
  const secondsPerRoom = possible === 0 ? null : await secondsOfRoom(db, request)
  return {
    total,
    possible,
    impossible: [...byReason.values()]
      .toSorted((a, b) => b.count - a.count)
      .map(({ reason, count, examples }) => ({ reason: englishReason(reason), reasons: [reason], count, examples })),
    retries: [...byProcess]
      .map(([processType, count]) => ({ processType, count }))
      .toSorted((a, b) => b.count - a.count),
    estimatedSeconds: secondsPerRoom === null ? null : possible * secondsPerRoom,
    mails: sendsMails(action) ? mails : 0,
    selectionDigest: total > roomsAtMost ? null : await keepSelection(db, where),
    ...(await pinnedNotesIn(db, where)),
  }
}

const mostNotes = 20

async function pinnedNotesIn(db: Db, where: Selected) {
  const [found] = await queryBuilt<Pick<BulkPreflight, 'withPinnedNotes' | 'pinnedNotes'>>(
    db,
    sql`with noted as materialized (select id as room, name from rooms where ${where} and ${hasPinnedNoteSql})
    select (select count(*)::int from noted) as with_pinned_notes,
           array(select jsonb_build_object('projectRoomName', name, ${sql.raw(pinnedNoteParts)})
                   from (select room, name from noted order by name limit ${sql.lit(mostNotes)}) as first
                   join room_notes on room_id = room and is_pinned
                  order by name, created_at desc, id limit ${sql.lit(mostNotes)}) as pinned_notes`,
  )
  return found ?? { withPinnedNotes: 0, pinnedNotes: [] }
}

/**
 * The access that stopping and retrying a bulk of these rooms needs: that of its action for all of them.
 * @param role of the operator who starts it
 */
export async function accessNeeded(
  core: OperationsCore,
  tx: Tx,
  where: Selected,
  action: Action,
  role: Role,
): Promise<'edit' | 'admin'> {
  if (!mayTakeInBulk(action.action, 'CLOUD_SALES')) return 'admin'
  // Rooms that need an administrator are skipped in the bulks of others.
  if (!isAdministrator(role)) return 'edit'
  const groups = await groupsOf(tx, where, action)
  const retries = await previewGroups(core, tx, action, groups, 'CLOUD_SALES')
  const reasons = groups.map(
    (group) => whyNotGroup(action, group, 'CLOUD_SALES', null) ?? retries.get(group.failedId ?? '')?.refusal,
  )
  return reasons.some((reason) => reason?.code === 'role' || reason?.code === 'online-shop-admin-only')
    ? 'admin'
    : 'edit'
}

function previewGroups(
  { kinds }: OperationsCore,
  db: Db | Tx,
  action: Action,
  groups: readonly Group[],
  role: Role,
): Promise<Map<string, RetryPreview>> {
  const failedIds = groups.flatMap(({ failedId }) => failedId ?? [])
  return previewRetries(db, kinds, failedIds, { role, untilBack: waitsUntilBack(action) })
}

function add(
  byReason: Map<string, { reason: CodedReason; count: number; examples: string[] }>,
  reason: CodedReason,
  { count, examples }: Pick<Group, 'count' | 'examples'>,
): void {
  const key = JSON.stringify(reason)
  const before = byReason.get(key) ?? { reason, count: 0, examples: [] }
  const all = [...before.examples, ...examples].toSorted().slice(0, mostExamples)
  byReason.set(key, { reason, count: before.count + count, examples: all })
}

interface Group {
  state: Exclude<ProjectRoomState, 'DISABLED_REGION'>
  productType: 'direct-sales' | 'online-shop'
  product: string
  regionId: number
  regionState: RegionState
  isBusy: boolean
  lastDay: LastDay
  /** For a retry; null: the room is not in error. */
  failureCause: FailureCause | null
  /** For a retry: what failed last in one of the rooms, as in all others of the group; null: nothing did. */
  failedId: string | null
  /** For a retry when a region is back: in whose name another one waits for it. */
  retriedFor: string | null
  count: number
  /** One for each owner and delegate. */
  mails: number
  examples: string[]
}

async function groupsOf(db: Db | Tx, where: Selected, action: Action): Promise<Group[]> {
  const newDay = action.action === 'extend' ? action.parameters.expirationDate : null
  const isRetry = action.action === 'retry'
  const failed = sql.raw(
    isRetry ? failedLast : 'select null::uuid as id, null::uuid as room_id, null::jsonb as likeness',
  )
  const retries = sql.raw(
    waitsUntilBack(action) ? waitingRetries : 'select null::uuid as room_id, null::text as acts_for where false',
  )
  return queryBuilt<Group>(
    db,
    sql`select selected.state::text as state, sales_channel::text as product_type, product::text as product, region_id,
           regions.state::text as region_state, busy.room_id is not null as is_busy,
           case when ${newDay}::date is null or expiration_date < ${newDay}::date then 'earlier'
                when expiration_date is null then 'none' else 'not-earlier' end as last_day,
           failure_cause, likeness, retries.acts_for as retried_for, (array_agg(failed.id))[1] as failed_id,
           count(*)::int as count, (count(*) + count(additional_email))::int as mails,
           (array_agg(selected.name order by selected.name))[1:${sql.lit(mostExamples)}] as examples
      from (select id, name, state, sales_channel, product, region_id, expiration_date, additional_email,
                   ${isRetry ? failureCauseSql : sql`null::text`} as failure_cause from rooms where ${where}) as selected
      join regions on regions.id = region_id
      left join (select distinct room_id from operations
                  where state in ('waiting', 'running', 'cancelling') and room_id is not null) as busy
        on busy.room_id = selected.id
      left join (${failed}) as failed on failed.room_id = selected.id
      left join (${retries}) as retries on retries.room_id = selected.id
     group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10`,
  )
}

function whyNotGroup(action: Action, group: Group, role: Role, target: MoveTarget | null): CodedReason | null {
  const { state, productType, regionState, isBusy, lastDay, failureCause, failedId, retriedFor } = group
  const situation = {
    projectRoomState: state,
    productType,
    regionState: worksInAnyRegion(action) ? ('enabled' as const) : regionState,
    runningOperation: isBusy ? {} : null,
  }
  const reason =
    whyNotAllowed(action.action, situation, role) ??
    whyNotExtend(action, lastDay) ??
    whyNotOfCause(action, failureCause)
  if (reason === null && retriedFor !== null) return because('retry-waits-already', { by: retriedFor })
  if (reason === null && action.action === 'retry' && failedId === null) return because('nothing-to-retry')
  if (reason !== null || target === null) return reason
  if (group.regionId === target.id) return because('already-in-region', { region: target.name })
  if (!target.products.includes(group.product))
    return because('move-product-not-served', { region: target.name, product: group.product })
  return null
}

const lately = 200

/** Seconds for each room of the newest bulk of this action, whose rooms ran side by side; null: not known. */
async function secondsOfRoom(db: Db, { action }: BulkRequest): Promise<number | null> {
  const [pace] = await queryRows<{ seconds: number | null }>(
    db,
    `select (extract(epoch from max(i.ended_at) - min(o.executed_at)) / nullif(count(*), 0))::float8 as seconds
       from (select id from bulks where action = $1 and state in ('DONE', 'PARTIALLY_DONE') order by started_at desc limit 1) b
       join lateral (select operation_id, ended_at from operation_items
                      where parent_id = b.id and state = 'done' limit ${lately}) i on true
       join operations o on o.id = i.operation_id`,
    [action],
  )
  return pace?.seconds ?? null
}
