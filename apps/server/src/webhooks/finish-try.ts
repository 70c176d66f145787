/** Records how a try has gone, and what follows from it for the delivery, those after it, its webhook or its operation. */
import { because, type DeliveryState, mailServerId } from '@roomkeeper/contract'
import { recordChange, type StoredMail, whyMailFailed } from '#changes/index.ts'
import { type AddedLogLine, addLogLine } from '#operations/index.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { steadyTime } from '#platform/steady-time.ts'
import type { ClaimedDelivery, SendingWebhook } from './claim-deliveries.ts'
import type { Tried } from './send-request.ts'

/** After its event a delivery is tried so long, and a webhook may fail so long before it is switched off. */
const longestDays = 3
/** Between the tries; the last one again and again. Each varies by a fifth, so that those of one outage spread. */
const pauseSeconds = [5, 30, 120, 600, 3600]

/** @returns whether the webhook was switched off by this */
export function finishTry(database: Database, delivery: ClaimedDelivery, tried: Tried): Promise<boolean> {
  const { webhook } = delivery
  return database.transaction(async (tx) => {
    await lockAsClaimsDo(tx, webhook.id)
    const [ended] = await queryRows<Finished>(tx, finish, [
      delivery.id,
      delivery.claim,
      tried.failure,
      tried.answer?.status ?? null,
      tried.answer?.body ?? null,
      tried.answer?.milliseconds ?? null,
      pauseAfter(delivery.tries),
      longestDays,
      delivery.isTest || tried.isForGood === true,
    ])
    // The claim was over: the worker that has claimed the delivery since records its result and the webhook's state.
    if (ended === undefined) return false
    if (tried.isForGood !== true) await noteResult(tx, webhook, tried.failure === null)
    if (ended.operationId !== null && (delivery.tries === 0 || ended.state !== 'waiting'))
      await addLogLine(tx, ended.operationId, lineOfMail(delivery.body, tried, ended.state))
    // Sent again by hand, it has held nothing up: what waits behind it keeps its pause.
    if (!ended.wasWaiting || ended.state === 'waiting') return false
    await callNext(tx, webhook.id, ended)
    return ended.state === 'ended' && ended.isTooLong && switchOffIfOnlyFailed(tx, webhook)
  })
}

interface Finished {
  orderingKey: string
  n: number
  wasWaiting: boolean
  state: 'waiting' | 'delivered' | 'ended'
  isTooLong: boolean
  /** The operation that an e-mail belongs to. */
  operationId: string | null
}

export async function lockAsClaimsDo(tx: Tx, id: string): Promise<void> {
  await queryRows(tx, 'select from webhooks where id = $1 for no key update', [id])
}

/** Unless it was led elsewhere meanwhile: what the former address says tells nothing about the new one. */
async function noteResult(tx: Tx, { id, url }: SendingWebhook, isDelivered: boolean): Promise<void> {
  const change = isDelivered
    ? 'last_delivered_at = now(), failing_since = null'
    : 'failing_since = coalesce(failing_since, steady_now())'
  await queryRows(tx, `update webhooks set ${change} where id = $1 and url = $2`, [id, url])
}

/**
 * What was delivered or has ended stays so, however it went when it was sent again by hand; unless it went well. An e-mail
 * that may have arrived is sent once more at most, so that its reader does not get it many times. While the time
 * is not steady, nothing is given up for its age.
 */
const finish = `
  update webhook_deliveries d
     set claim = null, tries = tries + 1, last_try_at = now(),
         failure = $3, answer_status = $4, answer_body = $5, answer_milliseconds = $6,
         may_have_arrived = may_have_arrived or $3 is not distinct from 'unanswered',
         state = next.state,
         next_try_at = case next.state when 'waiting' then now() + make_interval(secs => $7) end
    from (select id, state = 'waiting' as was_waiting, is_too_long,
                 case when $3::text is null then 'delivered'
                      when state = 'waiting' and (is_too_long or $9 or may_have_arrived and $3 = 'unanswered') then 'ended'
                      else state end as state
            from (select id, state, may_have_arrived, coalesce(at <= ${steadyTime} - make_interval(days => $8), false) as is_too_long
                    from webhook_deliveries where id = $1 and claim = $2 for no key update) as held) as next
   where d.id = next.id
  returning d.ordering_key, d.n, d.state, d.operation_id, next.was_waiting, next.is_too_long`

function pauseAfter(tries: number): number {
  const seconds = pauseSeconds[Math.min(tries, pauseSeconds.length - 1)] ?? 0
  return seconds * (0.8 + 0.4 * Math.random())
}

/** What the log of its operation says after a try. */
function lineOfMail(body: string, { failure, answer }: Tried, state: DeliveryState): AddedLogLine {
  const { to } = JSON.parse(body) as StoredMail
  if (failure === null) return { level: 'info', reason: because('log-mail-delivered', { to }) }
  const reason = whyMailFailed(failure, answer?.body ?? '')
  if (failure === 'not-needed') return { level: 'info', reason: because('log-mail-ended', { to, reason }) }
  const became = state === 'waiting' ? 'waits' : 'ended'
  const code = failure === 'unanswered' ? (`log-mail-perhaps-${became}` as const) : (`log-mail-${became}` as const)
  return { level: 'warning', reason: because(code, { to, reason }) }
}

async function callNext(tx: Tx, webhookId: string, { orderingKey, n }: Finished): Promise<void> {
  await queryRows(
    tx,
    `update webhook_deliveries set next_try_at = now() where claim is null and id = (
       select id from webhook_deliveries
        where webhook_id = $1 and ordering_key = $2 and state = 'waiting' and n > $3 order by n limit 1)`,
    [webhookId, orderingKey, n],
  )
}

/** Unless something else was delivered meanwhile; never the mail server. What still waits is ended by the workers' next look. */
async function switchOffIfOnlyFailed(tx: Tx, { id, name }: SendingWebhook): Promise<boolean> {
  const off = await queryRows(
    tx,
    `update webhooks set is_on = false, switched_off_at = now(), version = version + 1
      where id = $1 and id <> '${mailServerId}' and is_on and failing_since <= ${steadyTime} - make_interval(days => $2) returning 1`,
    [id, longestDays],
  )
  if (off.length === 0) return false
  const changes = [{ field: 'isOn', from: true, to: false }]
  await recordChange(tx, { actor: 'system', kind: 'webhook.switch-off', detail: name, changes })
  return true
}
