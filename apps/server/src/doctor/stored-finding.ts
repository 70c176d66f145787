/** Reads recorded findings, and shows them as operators see them. */
import { type Finding, findingKinds, type Repair } from '@roomkeeper/contract'
import type { Selectable } from 'kysely'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { textOfFinding } from './finding.ts'
import type { DoctorFindingsTable, DoctorRunsTable } from './tables.ts'

export type StoredFinding = Selectable<DoctorFindingsTable>
type ShownRow = Omit<StoredFinding, 'key' | 'section' | 'roomId' | 'regionId' | 'subject' | 'runId'> & {
  regionName: string | null
  isRoomKnown: boolean
}

/** @throws Refusal `finding-unknown`, also for a closed finding */
export async function findFinding(db: Db | Tx, id: string): Promise<StoredFinding> {
  const row = await db
    .selectFrom('doctorFindings')
    .selectAll()
    .where('id', '=', id)
    .where('closedAt', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw refuse('finding-unknown')
  return row
}

export interface WantedFindings {
  page: number
  size: number
  closed: boolean
  search: string
  severity: string
}

export async function pageOfFindings(db: Db, { page, size, closed, search, severity }: WantedFindings) {
  const condition = `f.closed_at is ${closed ? 'not null' : 'null'} and ($1 = '' or f.severity = $1)
    and ($2 = '' or strpos(lower(coalesce(f.room_name, '')), lower($2)) > 0
         or strpos(lower(coalesce(r.name, '')), lower($2)) > 0)`
  const from = 'from doctor_findings f left join regions r on r.id = f.region_id'
  const order = closed
    ? 'f.closed_at desc, f.id'
    : `array_position(array['error', 'warning', 'info'], f.severity), f.found_at, f.key`
  const [count] = await queryRows<{ n: number }>(db, `select count(*) as n ${from} where ${condition}`, [
    severity,
    search,
  ])
  const rows = await queryRows<ShownRow>(
    db,
    `select f.id, f.kind, f.severity, f.room_name, f.region_ids, f.facts, f.reasons, f.found_at, f.seen_at, f.closed_at,
            f.operation_id, r.name as region_name,
            f.kind <> 'room-unknown' and exists (
              select from rooms where rooms.name = coalesce(f.room_name, f.facts ->> 'room')) as is_room_known ${from} where ${condition} order by ${order} limit $3 offset $4`,
    [severity, search, size, page * size],
  )
  const totalElements = count?.n ?? 0
  return {
    data: rows.map(shown),
    totalElements,
    totalPages: Math.ceil(totalElements / size),
    lastRun: await newestRun(db),
  }
}

function shown(row: ShownRow): Finding {
  return {
    id: row.id,
    kind: row.kind,
    severity: row.severity,
    projectRoomName: row.roomName,
    isRoomKnown: row.isRoomKnown,
    regionName: row.regionName,
    text: textOfFinding(row.kind, row.facts),
    facts: row.facts,
    reasons: row.reasons,
    since: row.foundAt,
    seenAt: row.seenAt,
    closedAt: row.closedAt,
    repairs: row.closedAt === null ? repairsOf(row) : [],
    operationId: row.operationId,
  }
}

/**
 * The repairs that are offered. Adoption is not offered if several regions have the room or one does not answer: then
 * it is unknown which copy is in use.
 */
export function repairsOf({ kind, regionIds, facts }: Pick<StoredFinding, 'kind' | 'regionIds' | 'facts'>): Repair[] {
  const concerned = kind === 'room-elsewhere' ? 2 : 1
  const several = regionIds.length > concerned || facts.unasked !== undefined
  // The second copy may be the only readable one.
  const isOnlyWhole = facts.damaged !== undefined
  return findingKinds[kind].repairs.filter(
    (repair) => !(repair === 'adopt' && several) && !(repair === 'remove-copy' && isOnlyWhole),
  )
}

type NewestRun = Pick<Selectable<DoctorRunsTable>, 'operationId' | 'startedBy' | 'startedAt' | 'endedAt' | 'state'> & {
  rooms: number
}

async function newestRun(db: Db): Promise<NewestRun | null> {
  const [run] = await queryRows<NewestRun>(
    db,
    `select operation_id, started_by, started_at, ended_at, state, coalesce((progress ->> 'rooms')::int, 0) as rooms
       from doctor_runs order by started_at desc limit 1`,
  )
  return run ?? null
}
