/** Records findings, confirms them, and closes those that a later run has looked for and not found. */
import { cleanText } from '@roomkeeper/region-protocol'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { shownParams } from '#platform/refuse.ts'
import { steadyTime } from '#platform/steady-time.ts'
import { isAcknowledged } from './checks/check-audit.ts'
import { type Facts, factOf, keyOf, type NewFinding, type Reasons, severityOf } from './finding.ts'
import type { Progress } from './run-record.ts'

export async function recordFinding(db: Db | Tx, runId: string, draft: NewFinding): Promise<void> {
  const { kind, section, room, regionId, alsoIn = [], subject, facts } = draft
  const reasons = shownReasons(draft.reasons ?? {})
  const regionIds = regionId === undefined ? alsoIn : [regionId, ...alsoIn]
  await queryRows(
    db,
    `insert into doctor_findings
       (key, kind, severity, section, room_id, room_name, region_id, region_ids, subject, facts, reasons, run_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (key) where closed_at is null do update
       set severity = excluded.severity, facts = excluded.facts, reasons = excluded.reasons,
           region_ids = excluded.region_ids,
           seen_at = now(), run_id = excluded.run_id`,
    [
      keyOf(draft),
      kind,
      severityOf(draft),
      section,
      room?.id ?? null,
      room?.name ?? null,
      regionId ?? null,
      regionIds,
      subject ?? null,
      JSON.stringify({ ...shownFacts(facts), ...inEnglish(reasons) }),
      JSON.stringify(reasons),
      runId,
    ],
  )
}

/** Cleans texts from regions and stores: one that cannot be stored must not keep other findings from being recorded. */
function shownFacts(facts: Facts): Facts {
  const shown = (fact: string | number) => (typeof fact === 'string' ? cleanText(fact) : fact)
  return Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, shown(fact)]))
}

function shownReasons(reasons: Reasons): Reasons {
  const shown = Object.entries(reasons).map(([name, { code, params }]) => [name, { code, params: shownParams(params) }])
  return Object.fromEntries(shown)
}

function inEnglish(reasons: Reasons): Facts {
  return Object.fromEntries(Object.entries(reasons).map(([name, reason]) => [name, factOf(reason)]))
}

/** For a room whose operation is under way: nothing is known about it, so its findings stay until a recheck. */
export async function retainFindingsOf(db: Db, runId: string, roomName: string): Promise<void> {
  await queryRows(db, 'update doctor_findings set run_id = $1 where room_name = $2 and closed_at is null', [
    runId,
    roomName,
  ])
}

/**
 * Keeps findings about backups that this run cannot judge: it does not read all of them, a test may have found one bad
 * since, and that one cannot be restored, or holds damaged indexes, is not seen by reading it.
 */
export async function retainFindingsOfUnreadBackups(db: Db, runId: string): Promise<void> {
  await queryRows(
    db,
    `update doctor_findings f set run_id = r.id from doctor_runs r
      where r.id = $1 and f.closed_at is null
        and (f.kind = 'backup-altered' and (${isUnread('room_backups')} or ${isUnread('database_backups')})
          or f.kind = 'indexes-damaged' and exists (select from room_backups b where b.id::text = f.subject))`,
    [runId],
  )
}

/** By the backup's id as it is, so that each is found in the index. */
const isUnread = (backups: 'room_backups' | 'database_backups') => `
  exists (select from ${backups} b where b.id = case f.kind when 'backup-altered' then f.subject::uuid end
             and (b.checked_at is null or b.checked_at < greatest(r.started_at, f.seen_at)
               or f.reasons -> 'what' ->> 'code' = 'not-restorable'))`

const closedAtOnce = 200

/**
 * Closes the findings that this run would have made again if they were still true. Findings about a removed region are
 * closed too. A few at a time: a trigger locks the room of each backup.
 * @param progress which sections are done, and which regions answered until the end
 */
export async function closeVanished(db: Db, runId: string, { done, asked }: Progress): Promise<void> {
  for (let after = firstId; ; ) {
    const [closed] = await queryRows<{ last: string | null }>(db, closeSome, [runId, done, asked, after, closedAtOnce])
    if (closed?.last == null) return
    after = closed.last
  }
}

const firstId = '00000000-0000-0000-0000-000000000000'

/** Rooms are locked in the order that all code with several room locks uses. */
const closeSome = `
  with next as materialized (
    select id, room_id from doctor_findings f
     where id > $4 and closed_at is null and run_id <> $1 and section = any($2::text[])
       -- Nothing shows later that it was so.
       and not (kind = 'time-ahead' and seen_at > now() - interval '1 day')
       -- Another process may have found it, in its own folder: only an acknowledgement ends it.
       and not (kind = 'audit-cut-off' and not ${isAcknowledged})
       and not exists (select from unnest(f.region_ids) as needed join regions on regions.id = needed
                        where section in ('rooms', 'redirects') and needed <> all($3::int[]))
       and not exists (select from operations o
                        where o.state in ('waiting', 'running', 'cancelling') and o.room_name = f.room_name)
     order by id limit $5
  ), locked as materialized (
    select id from rooms where id in (select room_id from next) order by id for no key update
  ), closed as (
    update doctor_findings f set closed_at = steady_now() from next
     where f.id = next.id and f.closed_at is null and (select count(*) from locked) >= 0
  )
  select id as last from next order by id desc limit 1`

export async function closeFinding(tx: Db | Tx, id: string): Promise<void> {
  await queryRows(tx, 'update doctor_findings set closed_at = steady_now() where id = $1 and closed_at is null', [id])
}

const keptDays = 90

/** Housekeeping: removes old runs and old closed findings. */
export async function removeOldFindings(db: Db | Tx): Promise<void> {
  await queryRows(db, `delete from doctor_findings where closed_at < ${steadyTime} - make_interval(days => $1)`, [
    keptDays,
  ])
  await queryRows(db, `delete from doctor_runs where ended_at < ${steadyTime} - make_interval(days => $1)`, [keptDays])
}
