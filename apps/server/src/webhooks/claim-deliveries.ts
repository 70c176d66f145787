/**
 * Claims deliveries of one webhook. Claiming and finishing lock the row of the webhook, so decisions never use stale
 * state. A claim is a time until which no other worker takes the delivery; that of a dead worker runs out.
 */
import { mailServerId } from '@roomkeeper/contract'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { signingSecrets } from './secrets.ts'

export interface ClaimedDelivery {
  id: string
  claim: string
  messageId: string
  body: string
  tries: number
  /** When it was claimed: the receiver compares it with its own clock. */
  claimedAt: string
  /** A test is tried once. */
  isTest: boolean
  webhook: SendingWebhook
  /** Of `performance.now()`: a try that would begin later is left to others. */
  startUntil: number
}

export interface SendingWebhook {
  id: string
  name: string
  url: string
  /** Sealed; those that sign. */
  secrets: string[]
}

export interface Claims {
  claimed: ClaimedDelivery[]
  /** Others may be due, although none of them was claimed. */
  isMore: boolean
}

/** A try, and the time to record it, with a margin for a process that stands still. */
export function claimSecondsOf(webhookId: string): number {
  return webhookId === mailServerId ? 180 : 60
}

const startSeconds = 30
/** At once, by all workers. One that fails is given one try at a time, so that it takes little from the others. */
const atOnce = 4
const atOnceWhileFailing = 1
const lookedAt = 100
const endedAtOnce = 1000

/** @param most how many the caller can take */
export function claimDeliveries(database: Database, webhookId: string, most: number): Promise<Claims> {
  const startUntil = performance.now() + startSeconds * 1000
  return database.transaction(async (tx) => {
    if ((await queryRows(tx, lockUnlessLocked, [webhookId])).length === 0) return { claimed: [], isMore: false }
    // Only now: the statement that locks does not see what others have claimed just before.
    const [hook] = await queryRows<LockedWebhook>(tx, selectSending, [webhookId])
    if (hook === undefined) return { claimed: [], isMore: false }
    if (!hook.isOn) return { claimed: [], isMore: await endSome(tx, webhookId) }
    const { isFailing, underWay, isOn: _, ...webhook } = hook
    const free = Math.min(most, (isFailing ? atOnceWhileFailing : atOnce) - underWay)
    if (free <= 0) return { claimed: [], isMore: false }
    const rows = await queryRows<ClaimedRow>(tx, claimHeads, [webhookId, free, claimSecondsOf(webhookId), lookedAt])
    const claimed = rows.filter(isHead).map(({ parked: _, ...row }) => ({ ...row, webhook, startUntil }))
    return { claimed, isMore: claimed.length === 0 && rows.length > 0 }
  })
}

interface LockedWebhook extends SendingWebhook {
  isOn: boolean
  isFailing: boolean
  underWay: number
}
type Head = Omit<ClaimedDelivery, 'webhook' | 'startUntil'> & { parked: false }
type ClaimedRow = Head | { parked: true }

function isHead(row: ClaimedRow): row is Head {
  return !row.parked
}

const lockUnlessLocked = 'select 1 as found from webhooks where id = $1 for no key update skip locked'

/** The secrets that sign now, and how many tries of workers are under way. */
export const selectSending = `
  select id, name, url, is_on, failing_since is not null as is_failing,
         ${signingSecrets} as secrets,
         (select count(*)::int from webhook_deliveries d
           where d.webhook_id = webhooks.id and d.claim is not null and d.next_try_at > now()
             and d.by_hand_at is null) as under_way
    from webhooks where id = $1 and deleted_at is null`

/**
 * Of what is due, those are claimed that are first of their ordering key. The others are parked until that one is due again, or
 * its claim is over; when it ends before, it calls the next (finish-try.ts).
 */
const claimHeads = `
  with due as materialized (
    select id, ordering_key, n, row_number() over (order by next_try_at, n) as rank from webhook_deliveries
     where webhook_id = $1 and state = 'waiting' and next_try_at <= now() order by next_try_at, n limit $4
  ), judged as (
    select due.id, due.rank, first.next_try_at as waits_for from due left join lateral (
      select e.next_try_at from webhook_deliveries e
       where e.webhook_id = $1 and e.ordering_key = due.ordering_key and e.state = 'waiting' and e.n < due.n order by e.n limit 1
    ) as first on true
  ), parked as (
    update webhook_deliveries d
       set next_try_at = greatest(judged.waits_for, now() + make_interval(secs => $3)), claim = null
      from judged where judged.waits_for is not null and d.id = judged.id returning d.id
  ), claimed as (
    update webhook_deliveries d set claim = gen_random_uuid(), by_hand_at = null, next_try_at = now() + make_interval(secs => $3)
      from (select id from judged where waits_for is null order by rank limit $2) as heads where d.id = heads.id
    returning d.id, d.claim, d.message_id, d.body, d.tries, now() as claimed_at, d.type = 'webhook.test' as is_test
  ), taken as (
    update webhooks set last_taken_at = now() where id = $1 and exists (select from claimed)
  )
  select false as parked, * from claimed
  union all select true, id, null, null, null, null, null, null from parked`

/** What waits for a webhook that was switched off; not what is being tried. @returns whether there may be more */
async function endSome(tx: Tx, webhookId: string): Promise<boolean> {
  const ended = await queryRows(
    tx,
    `update webhook_deliveries set state = 'ended', next_try_at = null, claim = null where id in (
       select id from webhook_deliveries where webhook_id = $1 and state = 'waiting'
          and (claim is null or next_try_at <= now()) limit $2) returning 1`,
    [webhookId, endedAtOnce],
  )
  return ended.length === endedAtOnce
}
