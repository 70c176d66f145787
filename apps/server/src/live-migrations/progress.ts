/**
 * The progress of a run. Triggers keep the counts, and only the rooms that are shown are read, so that asking every
 * second is cheap even for a run of 100,000 rooms.
 */
import type { MigratingRoom, MigrationProgress } from '@roomkeeper/contract'
import {
  countItems,
  type ItemState,
  paceOfItems,
  regionsWaitedFor,
  secondsLeft,
  totalOf,
  waitingStepSql,
} from '#operations/index.ts'
import { type Db, queryRows } from '#platform/database.ts'
import { regionsNeededBy } from './operations/migration-run.ts'

const shownRooms = 100

/** @returns null before the first run, and once its records are too old to be kept */
export async function migrationProgress(db: Db, migrationId: number): Promise<MigrationProgress | null> {
  const found = await findRun(db, migrationId)
  if (found === null) return null
  const { sourceRegionId, targetRegionId, ...run } = found
  const needsRegion = regionsNeededBy({ sourceRegionId, targetRegionId })
  const [counted, pace, rooms, silent] = await Promise.all([
    countItems(db, run.operationId),
    paceOfItems(db, run.operationId, run.startedAt),
    roomsOfRun(db, run.operationId),
    run.state === 'RUNNING' ? regionsWaitedFor(db, run.operationId, needsRegion) : [],
  ])
  const { rooms: counts, bytes: bytesMoved } = counted
  const postponed = counts.skipped + counts.cancelled
  const inFlight = rooms.filter(({ state }) => state === 'running')
  // What was measured before says nothing about how long a region stays away.
  const isHeldUp = inFlight.every(({ waiting }) => waiting !== null) && (inFlight.length > 0 || silent.length > 0)
  const rate = run.endedAt === null ? pace.bytesPerSecond : averageRate(bytesMoved, run.startedAt, run.endedAt)
  return {
    ...run,
    waitsFor: silent.map(({ name }) => name),
    total: totalOf(counted),
    done: counts.done,
    inFlight: counts.running,
    waiting: counts.waiting,
    postponed,
    failed: counts.failed,
    bytesMoved,
    bytesPerSecond: isHeldUp ? null : rate,
    secondsLeft: run.state === 'RUNNING' && !isHeldUp ? secondsLeft(counts, pace.roomsPerSecond) : null,
    rooms,
  }
}

interface Run extends Pick<MigrationProgress, 'operationId' | 'state' | 'startedAt' | 'endedAt' | 'startedBy'> {
  sourceRegionId: number
  targetRegionId: number
}

async function findRun(db: Db, migrationId: number): Promise<Run | null> {
  const [run] = await queryRows<Run>(
    db,
    `select m.run_id as operation_id, m.state, m.started_at, o.ended_at, o.started_by,
            m.source_region_id, m.target_region_id
       from live_migrations m join operations o on o.id = m.run_id where m.id = $1`,
    [migrationId],
  )
  return run ?? null
}

function averageRate(bytes: number, from: string, to: string): number | null {
  const seconds = Math.max((Date.parse(to) - Date.parse(from)) / 1000, 1)
  return bytes === 0 ? null : bytes / seconds
}

/** The most interesting states first. The rooms of each state are read from the index. */
const order: readonly ItemState[] = ['running', 'failed', 'skipped', 'cancelled', 'waiting', 'done']

function roomsOfRun(db: Db, runId: string): Promise<MigratingRoom[]> {
  const parts = order.map(
    (state, rank) => `(
      select ${rank} as rank, position, room_name, state, operation_id, reason, reasons from operation_items
       where parent_id = $1 and state = '${state}' order by position limit ${shownRooms})`,
  )
  return queryRows<MigratingRoom>(
    db,
    `select r.room_name as project_room_name, r.operation_id,
        case r.state when 'done' then 'migrated' when 'skipped' then 'postponed' when 'cancelled' then 'postponed'
                     else r.state end as state, r.reason, coalesce(r.reasons, '[]') as reasons,
        case when r.state = 'running' then o.step end as step,
        case when r.state = 'running' then o.step_id end as step_id,
        case r.state when 'done' then 1 when 'running' then coalesce(o.progress, 0) else 0 end as progress,
        r.state = 'running' and coalesce(o.cancel_requested, false) as is_cancelling,
        r.state = 'running' and o.failure is not null as is_being_put_back,
        case when r.state = 'running' then ${waitingStepSql} end as waiting
       from (${parts.join(' union all ')} order by rank, position limit ${shownRooms}) r
       left join operations o on o.id = r.operation_id
      order by r.rank, r.position`,
    [runId],
  )
}
