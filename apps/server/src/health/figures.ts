/** Reads the figures of the whole system from the database. Each statement is fast at any size. */
import { mailServerId, mostWaitingCounted } from '@roomkeeper/contract'
import { sql } from 'kysely'
import { type Db, queryRows } from '#platform/database.ts'
import { countWithoutBackup } from '#rooms/index.ts'
import { givenUpMails } from '#webhooks/index.ts'

type Figure<Label extends string> = Record<Label, string> & { value: number }

export interface Figures {
  operations: Figure<'kind' | 'state'>[]
  waiting: Figure<'region'>[]
  workers: Figure<'lease'>[]
  rooms: Figure<'state'>[]
  regionRooms: Figure<'region'>[]
  regionLimit: Figure<'region'>[]
  regionEnabled: Figure<'region'>[]
  backupsFailed: Figure<'policy'>[]
  withoutBackup: Figure<'days'>[]
  /** Seconds. */
  oldest: number
  /** Seconds. */
  heartbeat: number
  events: number
  /** Backups that are known to be missing or altered. */
  badBackups: number
  /** 1: housekeeping removes nothing for good, because time has jumped. */
  removalPaused: number
  /** Findings about the audit trail. */
  auditDamaged: number
}

export interface WebhookFigures {
  /** Webhooks that are on and whose last try failed. */
  failing: number
  /** Deliveries; of each webhook 10,000 at most are counted. */
  waiting: number
  /** Seconds. */
  oldest: number
  /** Seconds. */
  notTaken: number
}

interface MailFigures {
  /** E-mails; 10,000 at most are counted. */
  waiting: number
  /** Seconds. */
  oldest: number
  /** Those of the last day that were not delivered and are not tried any more. */
  failed: number
}

export async function readFigures(db: Db): Promise<Figures> {
  const operations = await queryRows<Figure<'kind' | 'state'>>(
    db,
    `select kind, state, count(*) as value from operations
      where state in ('waiting', 'running', 'cancelling') group by kind, state
     union all
     select kind, state, count(*) from operations where ended_at > now() - interval '1 hour' group by kind, state`,
  )
  const waiting = await queryRows<Figure<'region'>>(
    db,
    `select coalesce(r.name, '') as region, count(*) as value from operations o left join regions r on r.id = o.region_id
      where o.state = 'waiting' group by r.name`,
  )
  const workers = await queryRows<Figure<'lease'>>(
    db,
    `select case when heartbeat_at > now() - interval '30 seconds' then 'fresh' else 'stale' end as lease,
            count(*) as value from workers group by 1`,
  )
  const rooms = await queryRows<Figure<'state'>>(
    db,
    'select state::text as state, sum(rooms)::bigint as value from room_totals group by state',
  )
  const regions = await queryRows<{ region: string; rooms: number; most: number; enabled: number }>(
    db,
    `select name as region, room_count as rooms, max_rooms as most, (state = 'enabled')::int as enabled from regions`,
  )
  const backupsFailed = await queryRows<Figure<'policy'>>(
    db,
    'select name as policy, failed as value from backup_policies where deleted_at is null',
  )
  // Those that are being deleted need none.
  const withoutBackup = await countWithoutBackup(db, sql`state <> 'MARKED_FOR_DELETION'`)
  const [one] = await queryRows<SingleFigures>(db, singleFigures)
  return {
    operations,
    waiting,
    workers,
    rooms,
    regionRooms: regions.map(({ region, rooms: value }) => ({ region, value })),
    regionLimit: regions.map(({ region, most: value }) => ({ region, value })),
    regionEnabled: regions.map(({ region, enabled: value }) => ({ region, value })),
    backupsFailed,
    withoutBackup: withoutBackup.map(({ days, rooms: value }) => ({ days: String(days), value })),
    oldest: one?.oldest ?? 0,
    heartbeat: one?.heartbeat ?? 0,
    events: one?.events ?? 0,
    badBackups: one?.badBackups ?? 0,
    removalPaused: one?.removalPaused ?? 0,
    auditDamaged: one?.auditDamaged ?? 0,
  }
}

type SingleFigures = Pick<Figures, 'oldest' | 'heartbeat' | 'events' | 'badBackups' | 'removalPaused' | 'auditDamaged'>

const singleFigures = `
  select coalesce((select extract(epoch from now() - min(executed_at))::float8 from operations
                    where state = 'waiting'), 0) as oldest,
         coalesce((select extract(epoch from now() - min(heartbeat_at))::float8 from workers), 0) as heartbeat,
         (select count(*) from events) as events,
         (select count(*) from doctor_findings
           where kind in ('backup-missing', 'backup-altered') and closed_at is null) as bad_backups,
         (select count(*) from time_looks where jumped_at is not null) as removal_paused,
         (select count(*) from doctor_findings
           where kind in ('audit-damaged', 'audit-cut-off') and closed_at is null) as audit_damaged`

export async function readDeliveryFigures(db: Db): Promise<{ webhooks: WebhookFigures; mails: MailFigures }> {
  const rows = await queryRows<WebhookFigures & { isMail: boolean }>(db, deliveryFigures, [
    mostWaitingCounted,
    mailServerId,
  ])
  const [ended] = await queryRows<{ failed: number }>(db, failedMails, [mailServerId])
  const ofWebhooks = rows.find(({ isMail }) => !isMail) ?? none
  const ofMails = rows.find(({ isMail }) => isMail) ?? none
  return {
    webhooks: { ...ofWebhooks, notTaken: Math.max(ofWebhooks.notTaken, ofMails.notTaken) },
    mails: { ...ofMails, failed: ended?.failed ?? 0 },
  }
}

const none: WebhookFigures = { failing: 0, waiting: 0, oldest: 0, notTaken: 0 }

const failedMails = `select count(*)::int as failed from ${givenUpMails}`

/**
 * The first of a webhook is its oldest: they have their numbers in the order in which they were written.
 *
 * What is due may wait long behind tries of the same webhook, which is given few at once: that is its receiver's doing.
 * So what counts is since when no worker has taken anything of the webhook; a try of an event ends within a minute, one of an e-mail within two.
 */
const deliveryFigures = `
  select w.id = $2 as is_mail, count(*) filter (where failing_since is not null) as failing, coalesce(sum(counted.waiting), 0)::int as waiting,
         coalesce(extract(epoch from now() - min(first.at))::float8, 0) as oldest,
         coalesce(extract(epoch from now() - min(untaken.since))::float8, 0) as not_taken
    from webhooks w
    left join lateral (select at from webhook_deliveries d where d.webhook_id = w.id and d.state = 'waiting'
                        order by n limit 1) as first on true
    left join lateral (select count(*) as waiting from (
           select from webhook_deliveries d where d.webhook_id = w.id and d.state = 'waiting' limit $1) as found) as counted
      on true
    left join lateral (
      select greatest(d.next_try_at, w.last_taken_at) as since from webhook_deliveries d
       where d.webhook_id = w.id and d.state = 'waiting' and d.next_try_at <= now()
       order by d.next_try_at limit 1) as untaken on true
   where w.is_on group by 1`
