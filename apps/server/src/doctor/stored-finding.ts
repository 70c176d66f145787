/** Reads recorded findings, and shows them as operators see them. */
import { type Finding, type FindingKind, type FindingSeverity, findingKinds, type Repair } from '@roomkeeper/contract'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { type Facts, type Reasons, type Section, textOfFinding } from './finding.ts'

export interface StoredFinding {
  id: string
  key: string
  kind: FindingKind
  section: Section
  roomId: string | null
  roomName: string | null
  regionId: number | null
  regionIds: number[]
  subject: string | null
  facts: Facts
  reasons: Reasons
  closedAt: string | null
}

interface ShownRow
  extends Pick<StoredFinding, 'id' | 'kind' | 'roomName' | 'regionIds' | 'facts' | 'reasons' | 'closedAt'> {
  severity: FindingSeverity
  foundAt: string
  seenAt: string
  operationId: string | null
  regionName: string | null
  isRoomKnown: boolean
}

/** Also a closed finding. */
export async function readFinding(db: Db | Tx, id: string): Promise<StoredFinding | null> {
  const [found] = await queryRows<StoredFinding>(
    db,
    `select id, key, kind, section, room_id, room_name, region_id, region_ids, subject, facts, reasons, closed_at
       from doctor_findings where id = $1`,
    [id],
  )
  return found ?? null
}

/** @throws Refusal `finding-unknown`, also for a closed finding */
export async function findFinding(db: Db | Tx, id: string): Promise<StoredFinding> {
  const found = await readFinding(db, id)
  if (found === null || found.closedAt !== null) throw refuse('finding-unknown')
  return found
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

interface NewestRun {
  operationId: string | null
  startedBy: string
  startedAt: string
  endedAt: string | null
  state: 'running' | 'done' | 'failed' | 'cancelled'
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
