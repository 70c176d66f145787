/**
 * The outbox of webhooks. An event is inserted in the transaction of the change, as one delivery for each webhook that
 * listens, and workers send it (webhooks/). The caller holds a row lock on the subject of the event, so the numbers of
 * deliveries with one ordering key follow the order in which their events happened.
 */
import { randomUUID } from 'node:crypto'
import {
  type RoomOfEvent,
  roomFieldsWith,
  type WebhookData,
  type WebhookEvent,
  type WebhookMessage,
} from '@roomkeeper/contract'
import { queryRows, type Tx } from '#platform/database.ts'
import { databaseTimestamp } from '#platform/database-time.ts'
import type { FieldChange } from './changed-fields.ts'

export interface OutgoingEvent<Type extends WebhookEvent> {
  data: WebhookData<Type>
  /** Events with the same key are delivered one after another: a room's id, or `region` and its id. */
  orderingKey: string
  /** The room that the event is about; null: none. The purge of the room removes the event. */
  roomId: string | null
  roomName: string | null
}

export const mostWebhooks = 50
/** Events in one statement: with 50 webhooks it inserts 5,000 rows, which takes about a second. */
const atOnce = 5000 / mostWebhooks

/** Inserts a delivery of each event for each webhook that listens. */
export async function writeEvents<Type extends WebhookEvent>(
  tx: Tx,
  type: Type,
  events: readonly OutgoingEvent<Type>[],
): Promise<void> {
  if (events.length === 0) return
  const at = await databaseTimestamp(tx)
  for (let begin = 0; begin < events.length; begin += atOnce)
    await writeSome(tx, type, events.slice(begin, begin + atOnce), at)
}

async function writeSome(
  tx: Tx,
  type: WebhookEvent,
  events: readonly OutgoingEvent<WebhookEvent>[],
  at: string,
): Promise<void> {
  await queryRows(tx, insertDeliveries, [
    events.map(() => newMessageId()),
    type,
    events.map(({ orderingKey }) => orderingKey),
    events.map(({ roomId }) => roomId),
    events.map(({ roomName }) => roomName),
    events.map(({ data }) => bodyOf(type, at, data)),
    at,
  ])
}

const insertDeliveries = `
  insert into webhook_deliveries (webhook_id, message_id, type, ordering_key, room_id, room_name, body, at)
  select w.id, e.message_id, $2::text, e.ordering_key, e.room_id, e.room_name, e.body, greatest($7::timestamptz, steady_now())
    from unnest($1::text[], $3::text[], $4::uuid[], $5::text[], $6::text[])
           with ordinality as e(message_id, ordering_key, room_id, room_name, body, n)
    join webhooks w on w.is_on and $2::text = any(w.events)
   order by e.n`

/** The operation that has made a change. */
export interface CausingOperation {
  id: string
  kind: string
}

export type RoomEvent = {
  [Type in WebhookEvent]: WebhookData<Type> extends { room: RoomOfEvent } ? Type : never
}[WebhookEvent]

/** The data of an event besides the room. */
export interface RoomEventData {
  operation: CausingOperation | null
  changes?: readonly FieldChange[]
  days?: number
}

export async function writeEventOfRoom(tx: Tx, type: RoomEvent, roomId: string, said: RoomEventData): Promise<void> {
  const rooms = await queryRows<RoomOfEvent>(tx, `${selectRooms} where r.id = $1 ${locking}`, [roomId])
  await writeEvents(tx, type, eventsOf(rooms, said))
}

const pieceOfRooms = 2000

/**
 * Writes the event for each room of a region, 2,000 rooms at a time, because there may be a million. The cursor makes
 * PostgreSQL sort them only once.
 */
export async function writeEventsOfRegion(
  tx: Tx,
  type: RoomEvent,
  regionId: number,
  said: RoomEventData,
): Promise<void> {
  const ofRegion = `${selectRooms} where r.region_id = $1 order by r.id ${locking}`
  await queryRows(tx, `declare told_rooms no scroll cursor for ${ofRegion}`, [regionId])
  let rooms: RoomOfEvent[]
  do {
    rooms = await queryRows<RoomOfEvent>(tx, `fetch ${pieceOfRooms} from told_rooms`)
    await writeEvents(tx, type, eventsOf(rooms, said))
  } while (rooms.length === pieceOfRooms)
  await queryRows(tx, 'close told_rooms')
}

const selectRooms = `
  select r.id, r.name, r.state, region.name as region, r.product, r.edition, r.expiration_date, r.labels
    from rooms r join regions region on region.id = r.region_id`
/** Locks the rooms even if the caller has not changed them, so that the events of a room have an order. */
const locking = 'for no key update of r'

function eventsOf<Type extends RoomEvent>(
  rooms: readonly RoomOfEvent[],
  { operation: by, changes, days }: RoomEventData,
): OutgoingEvent<Type>[] {
  const operation = by === null ? null : { id: by.id, kind: by.kind }
  const more = { ...(changes === undefined ? {} : { changes: withoutPeople(changes) }), ...(days && { days }) }
  return rooms.map((room) => ({
    // `recordChange` makes callers give what the event needs; the compiler cannot see that here.
    data: { room, operation, ...more } as unknown as WebhookData<Type>,
    orderingKey: room.id,
    roomId: room.id,
    roomName: room.name,
  }))
}

const aboutPeople: ReadonlySet<string> = new Set(roomFieldsWith('isAboutPerson'))

function withoutPeople(changes: readonly FieldChange[]): FieldChange[] {
  return changes.map((each) => (aboutPeople.has(each.field) ? { ...each, from: null, to: null } : each))
}

/**
 * Inserts a claimed delivery, so that no worker takes it. No other delivery has its ordering key, so none waits for it.
 */
export async function insertClaimedDelivery(
  tx: Tx,
  type: WebhookMessage,
  data: unknown,
  { webhookId, claimSeconds }: { webhookId: string; claimSeconds: number },
) {
  const at = await databaseTimestamp(tx)
  const written = { id: randomUUID(), claim: randomUUID(), messageId: newMessageId(), body: bodyOf(type, at, data) }
  await queryRows(
    tx,
    `insert into webhook_deliveries (id, webhook_id, message_id, type, ordering_key, at, body, claim, by_hand_at, next_try_at)
     values ($1, $2, $3, $4, 'test ' || $3, $5, $6, $7, now(), now() + make_interval(secs => $8))`,
    [written.id, webhookId, written.messageId, type, at, written.body, written.claim, claimSeconds],
  )
  return { ...written, claimedAt: at }
}

function newMessageId(): string {
  return `msg_${randomUUID().replaceAll('-', '')}`
}

function bodyOf(type: string, timestamp: string, data: unknown): string {
  return JSON.stringify({ type, timestamp, data })
}
