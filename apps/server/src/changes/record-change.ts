/**
 * Records a change by one call in the transaction of the change. The catalogue says which consequences a kind has; the
 * types make callers give the data that these consequences need.
 */
import {
  type AuditAction,
  type CodedReason,
  englishReason,
  type ServerEvent,
  type WebhookEvent,
} from '@roomkeeper/contract'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { type ChangeKind, type Consequences, changeKinds, type LiveEvent } from './catalogue.ts'
import type { FieldChange } from './changed-fields.ts'
import { type OutgoingMail, queueMail } from './mail-outbox.ts'
import {
  type CausingOperation,
  type OutgoingEvent,
  type RoomEvent,
  writeEventOfRoom,
  writeEvents,
  writeEventsOfRegion,
} from './webhook-outbox.ts'

/** Who asked for a change, and in which request. */
export interface AuditContext {
  actor: string
  requestId: string
}

export interface NamedRoom {
  id: string
  name: string
}

/** For an entry in the audit trail. */
interface Audited {
  /** The e-mail address of an operator, with the name of the API token if there is one, `system`, or `unknown`. */
  actor: string
  requestId?: string | null
  room?: NamedRoom | null
  operationId?: string
  /** The name of what was changed, or a sentence about it. */
  detail?: string | CodedReason
  changes?: readonly FieldChange[]
}

/** For the events for consoles. */
interface LiveData {
  room: { room: { name: string } }
  'room gone': { room: { name: string } }
  operation: { operationId: string; roomName: string }
  region: { regionIds: readonly number[] }
  /** null: no live migration moved the room, so there is no event. */
  migration: { migrationId: number | null }
  bulk: { bulkId: string }
  'backup-policy': { policyId: string }
  maintenance: unknown
  attention: unknown
  customers: unknown
}

/**
 * Data of the webhook event. `recordChange` reads the room, so it is called after a change of a room and before its
 * deletion. `events` is called only if a webhook listens.
 */
type WebhookEventData<Type extends WebhookEvent> = Type extends RoomEvent
  ? { room: NamedRoom; operation: CausingOperation | null } & MoreOfRoom<Type>
  : { events: () => Promise<readonly OutgoingEvent<Type>[]> }
type MoreOfRoom<Type extends RoomEvent> = Type extends 'room.changed'
  ? { changes: readonly FieldChange[] }
  : Type extends 'room.expiring'
    ? { days: number }
    : unknown

/** The intersection of all members of a union. */
type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

type DataFor<Kind extends ChangeKind, To extends Consequences = (typeof changeKinds)[Kind]> = {
  kind: Kind
} & (To['audit'] extends null ? unknown : Audited) &
  (To['live'][number] extends never ? unknown : Intersection<LiveData[To['live'][number]]>) &
  (To['webhook'] extends WebhookEvent ? WebhookEventData<To['webhook']> : unknown) &
  (To['mail'] extends 'queued' ? { mail: OutgoingMail } : unknown)

export type Change<Kinds extends ChangeKind = ChangeKind> = { [Kind in Kinds]: DataFor<Kind> }[Kinds]

/** Recorded by `recordChangeOfRooms`. */
type KindOfMany = 'room.remove-with-region'
type KindOfOne = Exclude<ChangeKind, KindOfMany>
/** Recorded by one statement, so callers need no transaction. */
type KindOfOneStatement = {
  [Kind in KindOfOne]: (typeof changeKinds)[Kind]['webhook'] extends null ? Kind : never
}[KindOfOne]

/** The data of all kinds together, as the functions below read it. */
interface AnyChange extends Partial<Omit<Audited, 'room'>> {
  kind: ChangeKind
  room?: (Partial<NamedRoom> & { name: string }) | null
  roomName?: string
  regionIds?: readonly number[]
  migrationId?: number | null
  bulkId?: string
  policyId?: string
  operation?: CausingOperation | null
  days?: number
  events?: () => Promise<readonly OutgoingEvent<never>[]>
  mail?: OutgoingMail
}

export async function recordChange(tx: Tx, change: Change<KindOfOne>): Promise<void>
export async function recordChange(db: Db, change: Change<KindOfOneStatement>): Promise<void>
export async function recordChange(db: Db | Tx, change: Change<KindOfOne>): Promise<void> {
  const given: AnyChange = change
  const { audit, live, webhook } = changeKinds[change.kind] as Consequences
  const event = webhook !== null && isWorthTelling(webhook, given) ? webhook : null
  const hasListener = await write(db, audit === null ? null : entryOf(audit, given), liveEvents(live, given), event)
  if (event !== null && hasListener) await tell(db as Tx, event, given)
  if (given.mail !== undefined) await queueMail(db, given.mail)
}

/** An edit that changed nothing leads to an audit entry, but to no webhook event. */
function isWorthTelling(webhook: WebhookEvent, { changes }: AnyChange): boolean {
  return webhook !== 'room.changed' || (changes?.length ?? 0) > 0
}

async function tell(tx: Tx, type: WebhookEvent, { room, operation = null, events, ...said }: AnyChange): Promise<void> {
  if (events !== undefined) return writeEvents(tx, type, await events())
  const { changes, days } = said
  const more = { ...(changes && { changes }), ...(days === undefined ? {} : { days }) }
  await writeEventOfRoom(tx, type as RoomEvent, room?.id as string, { operation, ...more })
}

interface AuditEntry {
  actor: string
  action: AuditAction
  roomId: string | null
  roomName: string | null
  operationId: string | null
  detail: string | null
  detailReasons: string
  changes: string
  requestId: string | null
}

function entryOf(action: AuditAction, given: AnyChange): AuditEntry {
  const { actor = '', room, operation, operationId, detail = null, changes = [], requestId = null } = given
  const isName = typeof detail === 'string' || detail === null
  return {
    actor,
    action,
    roomId: room?.id ?? null,
    roomName: room?.name ?? null,
    operationId: operationId ?? operation?.id ?? null,
    detail: isName ? detail : englishReason(detail),
    detailReasons: JSON.stringify(isName ? [] : [detail]),
    changes: JSON.stringify(changes),
    requestId,
  }
}

function liveEvents(live: readonly LiveEvent[], given: AnyChange): ServerEvent[] {
  const { room, operationId = '', roomName = '', regionIds = [], migrationId, bulkId = '', policyId = '' } = given
  return live.flatMap((type): ServerEvent[] => {
    switch (type) {
      case 'room':
        return [{ type, room: room?.name ?? '', gone: false }]
      case 'room gone':
        return [{ type: 'room', room: room?.name ?? '', gone: true }]
      case 'operation':
        return [{ type, operationId, room: roomName }]
      case 'region':
        return regionIds.map((regionId) => ({ type, regionId }))
      case 'migration':
        return migrationId == null ? [] : [{ type, id: migrationId }]
      case 'bulk':
        return [{ type, id: bulkId }]
      case 'backup-policy':
        return [{ type, id: policyId }]
      case 'maintenance':
      case 'attention':
      case 'customers':
        return [{ type }]
      default:
        return type satisfies never
    }
  })
}

/** Writes all in one statement, because changes are frequent. @returns whether a webhook listens to the event */
async function write(
  db: Db | Tx,
  entry: AuditEntry | null,
  events: readonly ServerEvent[],
  webhook: WebhookEvent | null,
): Promise<boolean> {
  if (entry === null && events.length === 0 && webhook === null) return false
  const listening = await queryRows(db, record, [
    entry?.actor,
    entry?.action,
    entry?.roomId,
    entry?.roomName,
    entry?.operationId,
    entry?.detail,
    entry?.detailReasons,
    entry?.changes,
    entry?.requestId,
    JSON.stringify(events),
    webhook,
  ])
  return listening.length > 0
}

/** Asks for webhooks here, because most installations have none: then what the event says need not be read. */
const record = `
  with noted as (
    insert into audit (actor, action, room_id, room_name, operation_id, detail, detail_reasons, changes, request_id)
    select $1::text, $2::text, $3::uuid, $4::text, $5::uuid, $6::text, $7::jsonb, $8::jsonb, $9::text
     where $2::text is not null
  ), announced as (
    insert into events (payload) select jsonb_array_elements($10::jsonb)
  )
  select from webhooks where is_on and $11::text = any(events) limit 1`

/**
 * Kinds that lead to live events only. Statements that change many rows, or run often, insert these events themselves.
 */
type LiveOnlyKind = 'operation.changed' | 'region.changed' | 'migration.changed'

const payloads: Record<(typeof changeKinds)[LiveOnlyKind]['live'][number], string> = {
  operation: `jsonb_build_object('type', 'operation', 'operationId', id, 'room', room_name)`,
  region: `jsonb_build_object('type', 'region', 'regionId', id)`,
  migration: `jsonb_build_object('type', 'migration', 'id', id)`,
}

/**
 * SQL that records a change of each row of an earlier part of the same statement, so that it takes no statement of its own.
 * @param rows the name of that part, which has the column `id`, and `room_name` of operations
 */
export function recordedFor(kind: LiveOnlyKind, rows: string): string {
  const [type] = changeKinds[kind].live
  return `insert into events (payload) select ${payloads[type]} from ${rows}`
}

/**
 * Records the removal of all rooms of a region, before they are deleted, and locks them. A few statements do this for
 * all of them, because there may be a million.
 * @returns the number of rooms
 */
export async function recordChangeOfRooms(
  tx: Tx,
  { regionId, actor, requestId, detail }: AuditContext & { kind: KindOfMany; regionId: number; detail: string },
): Promise<number> {
  const { audit, webhook } = changeKinds['room.remove-with-region']
  if (await write(tx, null, [], webhook)) await writeEventsOfRegion(tx, webhook, regionId, { operation: null })
  const noted = await queryRows<{ count: number }>(
    tx,
    `with removed as (select id, name from rooms where region_id = $1 for update),
          noted as (insert into audit (actor, action, room_id, room_name, detail, changes, request_id)
                    select $2, $3, id, name, $4, '[]', $5 from removed)
     select count(*)::int as count from removed`,
    [regionId, actor, audit, detail, requestId],
  )
  return noted[0]?.count ?? 0
}
