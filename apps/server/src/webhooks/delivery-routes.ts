/** The calls about what a webhook was told. A test, and what is sent again, is tried at once by the process that is asked. */
import { type DeliveryState, mailServerId, type WebhookDelivery, webhookTestEvent } from '@roomkeeper/contract'
import { insertClaimedDelivery, type NamedRoom, recordChange, type StoredMail } from '#changes/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { type Caller, type Handlers, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { type ClaimedDelivery, claimSecondsOf, type SendingWebhook, selectSending } from './claim-deliveries.ts'
import { finishTry, lockAsClaimsDo } from './finish-try.ts'
import { tryDelivery } from './try-delivery.ts'
import { findWebhook, type WebhookParts } from './webhook-routes.ts'

type DeliveryHandlers = Pick<Handlers, 'webhookDeliveries' | 'testWebhook' | 'resendWebhookDelivery'>

type ClaimedByHand = Omit<ClaimedDelivery, 'startUntil'>

interface ByHand {
  caller: Caller
  requestId: string
}

export function deliveryHandlers(parts: WebhookParts): DeliveryHandlers {
  const { database } = parts
  return {
    async webhookDeliveries({ params, query }) {
      if (params.id !== mailServerId) await findWebhook(database.db, params.id)
      return ok(await listDeliveries(database.db, params.id, query))
    },
    testWebhook: async ({ params, caller, requestId }) =>
      ok(await tryAtOnce(parts, (tx) => addTest(tx, params.id, { caller, requestId }))),
    resendWebhookDelivery: async ({ params, caller, requestId }) =>
      ok(await tryAtOnce(parts, (tx) => claimAgain(tx, params, { caller, requestId }))),
  }
}

async function tryAtOnce(parts: WebhookParts, claim: (tx: Tx) => Promise<ClaimedByHand>): Promise<WebhookDelivery> {
  const { database } = parts
  const claimed = { ...(await database.transaction(claim)), startUntil: Number.POSITIVE_INFINITY }
  await finishTry(database, claimed, await tryDelivery(parts, claimed))
  return findDelivery(database.db, claimed.webhook.id, claimed.id)
}

/** The limit is per webhook, over all processes, because each one may hang for as long as a try may take. */
const mostByHand = 2

async function addTest(tx: Tx, webhookId: string, by: ByHand): Promise<ClaimedByHand> {
  if (webhookId === mailServerId) throw refuse('webhook-unknown')
  const webhook = await lockSending(tx, webhookId)
  const data = { webhook: { id: webhook.id, name: webhook.name } }
  const test = await insertClaimedDelivery(tx, webhookTestEvent, data, {
    webhookId,
    claimSeconds: claimSecondsOf(webhookId),
  })
  await record(tx, 'webhook.test', webhook.name, by)
  return { ...test, tries: 0, isTest: true, webhook }
}

/** A worker that is trying it just now finds the claim taken, and records nothing. @throws Refusal */
async function claimAgain(
  tx: Tx,
  { id: webhookId, deliveryId }: { id: string; deliveryId: string },
  by: ByHand,
): Promise<ClaimedByHand> {
  const webhook = await lockSending(tx, webhookId)
  if ((await queryRows(tx, earlierInLane, [deliveryId, webhookId])).length > 0)
    throw refuse('webhook-delivery-waits-its-turn')
  const [found] = await queryRows<Omit<ClaimedByHand, 'webhook'> & RoomOfDelivery>(
    tx,
    `update webhook_deliveries set claim = gen_random_uuid(), by_hand_at = now(),
        next_try_at = case state when 'waiting' then now() + make_interval(secs => $3) end
      where id = $1 and webhook_id = $2
     returning id, claim, message_id, body, tries, now() as claimed_at, type = $4 as is_test, room_id, room_name`,
    [deliveryId, webhookId, claimSecondsOf(webhookId), webhookTestEvent],
  )
  if (found === undefined) throw refuse('webhook-delivery-unknown')
  const { roomId, roomName, ...claimed } = found
  if (webhookId !== mailServerId) await record(tx, 'webhook.resend', `${webhook.name}: ${claimed.messageId}`, by)
  else {
    const room = roomId === null || roomName === null ? null : { id: roomId, name: roomName }
    await record(tx, 'mail.resend', (JSON.parse(claimed.body) as StoredMail).to, by, room)
  }
  return { ...claimed, webhook }
}

interface RoomOfDelivery {
  roomId: string | null
  roomName: string | null
}

/** What waits before a delivery that itself still waits. Nothing comes to wait there later. */
const earlierInLane = `
  select 1 as found from webhook_deliveries d join webhook_deliveries e on e.webhook_id = d.webhook_id and e.ordering_key = d.ordering_key
   where d.id = $1 and d.webhook_id = $2 and d.state = 'waiting' and e.state = 'waiting' and e.n < d.n limit 1`

/** @throws Refusal `webhook-unknown`, `too-many-calls` */
async function lockSending(tx: Tx, webhookId: string): Promise<SendingWebhook> {
  await lockAsClaimsDo(tx, webhookId)
  const [{ byHand } = { byHand: 0 }] = await queryRows<{ byHand: number }>(
    tx,
    `select count(*)::int as by_hand from webhook_deliveries
      where webhook_id = $1 and claim is not null and by_hand_at > now() - make_interval(secs => $2)`,
    [webhookId, claimSecondsOf(webhookId)],
  )
  if (byHand >= mostByHand) throw refuse('too-many-calls')
  const [hook] = await queryRows<SendingWebhook>(tx, selectSending, [webhookId])
  if (hook === undefined) throw refuse('webhook-unknown')
  return hook
}

function record(
  tx: Tx,
  kind: 'webhook.test' | 'webhook.resend' | 'mail.resend',
  detail: string,
  { caller, requestId }: ByHand,
  room: NamedRoom | null = null,
): Promise<void> {
  return recordChange(tx, { kind, actor: caller.actor, requestId, room, detail })
}

interface Row extends Omit<WebhookDelivery, 'answer'> {
  answerStatus: number | null
  answerBody: string | null
  answerMilliseconds: number | null
}

const columns = `
  id, message_id, type, room_name as room, at, state, tries, last_try_at, next_try_at, body as request, failure,
  answer_status, answer_body, answer_milliseconds`

async function listDeliveries(
  db: Db,
  webhookId: string,
  { page, size, state = null }: { page: number; size: number; state?: DeliveryState | undefined | null },
) {
  const ofWebhook = 'from webhook_deliveries where webhook_id = $1 and ($2::text is null or state = $2)'
  const [{ total } = { total: 0 }] = await queryRows<{ total: number }>(
    db,
    `select count(*)::int as total ${ofWebhook}`,
    [webhookId, state],
  )
  const rows = await queryRows<Row>(db, `select ${columns} ${ofWebhook} order by n desc limit $3 offset $4`, [
    webhookId,
    state,
    size,
    page * size,
  ])
  return { data: rows.map(present), totalElements: total, totalPages: Math.ceil(total / size) }
}

async function findDelivery(db: Db, webhookId: string, id: string): Promise<WebhookDelivery> {
  const [row] = await queryRows<Row>(
    db,
    `select ${columns} from webhook_deliveries where id = $1 and webhook_id = $2`,
    [id, webhookId],
  )
  if (row === undefined) throw refuse('webhook-delivery-unknown')
  return present(row)
}

function present({ answerStatus, answerBody, answerMilliseconds, ...row }: Row): WebhookDelivery {
  if (answerStatus === null) return { ...row, answer: null }
  return { ...row, answer: { status: answerStatus, body: answerBody ?? '', milliseconds: answerMilliseconds ?? 0 } }
}
