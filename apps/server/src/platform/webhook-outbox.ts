/**
 * The outbox of webhooks: what happens is written in the transaction of the change, one delivery for each webhook that
 * listens, and the workers deliver it (webhooks/). Who writes it has a row lock on what the event is about, so that the
 * order of the numbers is the order in which the events with one ordering key happened.
 */
import { randomUUID } from 'node:crypto'
import type { WebhookData, WebhookEvent } from '@roomkeeper/contract'
import { queryRows, type Tx } from './database.ts'
import { databaseTimestamp } from './database-time.ts'
import { prepared } from './prepared-statements.ts'

export type OutgoingEvent = {
  [Type in WebhookEvent]: {
    type: Type
    data: WebhookData<Type>
    /** Events with the same key are delivered one after another: a room's id, or `region` and its id. */
    orderingKey: string
    /** Of the room that it is about, if any: a purge removes the event. */
    roomId: string | null
    roomName: string | null
  }
}[WebhookEvent]

/** Asked first, because most installations have no webhook: then the data of the event need not be read. */
export async function isSubscribed(tx: Tx, type: WebhookEvent): Promise<boolean> {
  return (await queryRows(tx, listening, [type])).length > 0
}

const listening = prepared('select 1 as found from webhooks where is_on and $1 = any(events) limit 1')

export const mostWebhooks = 50
/** All rooms of a region may be told of, to each webhook: a statement has 5,000 rows at most, which take about a second. */
const atOnce = 5000 / mostWebhooks

export async function enqueueWebhooks(tx: Tx, events: readonly OutgoingEvent[]): Promise<void> {
  const at = await databaseTimestamp(tx)
  for (let begin = 0; begin < events.length; begin += atOnce)
    await insertSome(tx, events.slice(begin, begin + atOnce), at)
}

async function insertSome(tx: Tx, events: readonly OutgoingEvent[], at: string): Promise<void> {
  await queryRows(tx, insertDeliveries, [
    events.map(() => newMessageId()),
    events.map(({ type }) => type),
    events.map(({ orderingKey }) => orderingKey),
    events.map(({ roomId }) => roomId),
    events.map(({ roomName }) => roomName),
    events.map(({ type, data }) => bodyOf(type, at, data)),
    at,
  ])
}

const insertDeliveries = `
  insert into webhook_deliveries (webhook_id, message_id, type, ordering_key, room_id, room_name, body, at)
  select w.id, e.message_id, e.type, e.ordering_key, e.room_id, e.room_name, e.body, $7::timestamptz
    from unnest($1::text[], $2::text[], $3::text[], $4::uuid[], $5::text[], $6::text[])
           with ordinality as e(message_id, type, ordering_key, room_id, room_name, body, n)
    join webhooks w on w.is_on and e.type = any(w.events)
   order by e.n`

export function newMessageId(): string {
  return `msg_${randomUUID().replaceAll('-', '')}`
}

export function bodyOf(type: string, timestamp: string, data: unknown): string {
  return JSON.stringify({ type, timestamp, data })
}
