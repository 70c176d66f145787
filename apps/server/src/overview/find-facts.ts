/** Finds what needs attention, from records alone and within 20 ms at a million rooms. */
import {
  type AttentionFact,
  type AttentionKind,
  attentionKinds,
  attentionReason,
  englishReason,
  mailServerId,
  mostCounted,
} from '@roomkeeper/contract'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { givenUpMails } from '#webhooks/index.ts'

/** `subject` tells facts of one kind apart: the id of a region, the name of a process. */
export type Fact = Omit<AttentionFact, 'act'> & { subject: string }

type FoundFact = Pick<Fact, 'kind' | 'subject' | 'severity' | 'since' | 'count' | 'params'>

/**
 * The facts of now, worst first: by severity, kind and age. Where nothing records when one began, `since` is when it was
 * first stored.
 */
export async function findFacts(db: Db | Tx): Promise<Fact[]> {
  const found = await queryRows<FoundFact>(db, factsSql, [mailServerId, mostCounted, Object.keys(attentionKinds)])
  return found.map((fact) => ({ ...fact, text: englishReason(attentionReason(fact)), link: linkOf(fact) }))
}

const down = `select id, name, health, down_since, room_count from regions where state = 'enabled' and health <> 'answers'`

const factSources = `
  with down as materialized (${down})
  select 'region-down' as kind, id::text as subject, 'error' as severity, down_since as since, room_count as count,
         jsonb_build_object('region', name, 'regionId', id, 'health', health) as params
    from down
  union all
  select 'operations-waiting', d.id::text, 'error', min(o.created_at), count(*), jsonb_build_object('region', d.name, 'regionId', d.id)
    from down d join operations o on o.state in ('waiting', 'running', 'cancelling')
      and (o.region_id = d.id or exists (select from operation_slots s where s.operation_id = o.id and s.region_id = d.id))
   group by d.id, d.name
  union all
  select 'no-worker', '', 'error', max(heartbeat_at), null, '{}' from workers
  having count(*) filter (where heartbeat_at > now() - interval '30 seconds') = 0
     and (count(*) > 0 or exists (
       select from operations where state = 'waiting' and executed_at < now() - interval '30 seconds'))
  union all
  select fault, process, severity, since, null, params || jsonb_build_object('process', process)
    from process_faults where seen_at > now() - interval '12 seconds'
  union all
  select 'audit-damaged', '', 'error', min(found_at), null, '{}' from doctor_findings
   where kind in ('audit-damaged', 'audit-cut-off') and closed_at is null having count(*) > 0
  union all
  select 'findings', '', case when bool_or(severity = 'error') then 'error' else 'warning' end, min(found_at), count(*), '{}'
    from doctor_findings
   where kind not in ('audit-damaged', 'audit-cut-off') and severity <> 'info' and closed_at is null having count(*) > 0
  union all
  select 'rooms-failed', '', 'warning', null, sum(rooms), '{}' from room_totals where state = 'ERROR' having sum(rooms) > 0
  union all
  select 'rooms-without-backup', '', 'warning', null, count(*), '{}'
    from (select from rooms where last_backup_at <= now() - interval '7 days' limit $2) as counted having count(*) > 0
  union all
  select 'rooms-expiring', '', 'warning', null, count(*), '{}'
    from (select from rooms where expiration_date between current_date and current_date + 7 limit $2) as counted
  having count(*) > 0
  union all
  select 'webhooks-failing', '', 'warning', min(coalesce(failing_since, switched_off_at)), count(*), '{}'
    from webhooks where id <> $1 and deleted_at is null and (case when is_on then failing_since else switched_off_at end) is not null
  having count(*) > 0
  union all
  select 'mails-not-delivered', '', case when failing_since is null then 'warning' else 'error' end,
         failing_since, least(given_up + waiting, $2), '{}'
    from webhooks,
         lateral (select count(*) as given_up from (select from ${givenUpMails} limit $2) as counted) as ended,
         lateral (select count(*) as waiting from (select from webhook_deliveries
                   where webhook_id = $1 and state = 'waiting' and failing_since is not null limit $2) as counted) as late
   where id = $1 and (failing_since is not null or given_up > 0)`

const factsSql = `
  select kind, subject, f.severity, coalesce(f.since, a.since, now()) as since, f.count::int, f.params
    from (${factSources}) f left join attention a using (kind, subject)
   order by f.severity, array_position($3::text[], kind), since, subject`

/** The console page to open for a fact; null if there is none. */
function linkOf({ kind, params: { regionId } }: FoundFact): string | null {
  const links: Record<AttentionKind, string | null> = {
    'region-down': `/project/administration?region=${regionId}`,
    'operations-waiting': `/project/administration?region=${regionId}&status=IN_PROGRESS`,
    'no-worker': null,
    'store-missing': null,
    'clock-off': null,
    'audit-damaged': '/project/consistency',
    findings: '/project/consistency',
    'rooms-failed': '/project/administration?status=ERROR',
    'rooms-without-backup': '/project/administration?backup=7',
    'rooms-expiring': '/project/administration?expires=7',
    'webhooks-failing': '/project/webhooks',
    'mails-not-delivered': `/project/webhooks/${mailServerId}`,
  }
  return links[kind]
}
