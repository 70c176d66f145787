/**
 * What webhooks are sent: for each event when it happens, and what its `data` holds. No secrets; of a room's contacts only
 * that they were changed. Why something failed is told as operators read it.
 */
import { z } from 'zod'
import { reasonList } from './coded-text.ts'
import { liveMigrationStates } from './live-migrations.ts'
import { attentionSeverities } from './overview.ts'
import { editions, products, projectRoomStates } from './wire-codes.ts'

export const roomOfEvent = z.object({
  id: z.uuid(),
  name: z.string(),
  /** As it is stored once the event has happened; of a deleted room: the last one. */
  state: z.enum(projectRoomStates),
  /** The name of its region. */
  region: z.string(),
  product: z.enum(products),
  edition: z.enum(editions),
  expirationDate: z.iso.date().nullable(),
  labels: z.array(z.string()),
})
export type RoomOfEvent = z.output<typeof roomOfEvent>

/** What has brought the event about; null: no operation, but a call or a check. */
const operation = z.object({ id: z.uuid(), kind: z.string() }).nullable()
const ofRoom = z.object({ room: roomOfEvent, operation })

/**
 * `field`: the name on the wire, such as `labels`, or `region`, or `state`. Of fields about people (`isAboutPerson` in the
 * catalogue) `from` and `to` are null.
 */
const change = z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })

const why = {
  /** In English. */
  text: z.string(),
  reasons: reasonList,
}

const ofRegion = z.object({ region: z.object({ id: z.int(), name: z.string() }), downSince: z.iso.datetime() })

export const webhookData = {
  'room.created': ofRoom,
  'room.changed': ofRoom.extend({ changes: z.array(change) }),
  'room.suspended': ofRoom,
  'room.resumed': ofRoom,
  'room.deleted': ofRoom,
  'room.expiring': ofRoom.extend({
    /** How many days before its last day this was to be told. */
    days: z.int(),
  }),
  'operation.failed': z.object({
    operation: z.object({
      id: z.uuid(),
      kind: z.string(),
      /** As the monitoring names it; null: it has no entry there. */
      process: z.string().nullable(),
      attempt: z.int(),
      parentId: z.uuid().nullable(),
    }),
    /** `id` null: it works on something else, or only names the room. `state` null: there is no such room (any more). */
    room: z.object({ id: z.uuid().nullable(), name: z.string(), state: z.enum(projectRoomStates).nullable() }),
    region: z.string().nullable(),
    ...why,
  }),
  'migration.ended': z.object({
    migration: z.object({ id: z.int(), source: z.string(), target: z.string() }),
    operation: z.object({ id: z.uuid(), kind: z.string() }),
    state: z.enum(liveMigrationStates),
    /** Rooms by what became of them; `waiting` and `inFlight`: the run ended before them. */
    rooms: z.object({
      migrated: z.int(),
      postponed: z.int(),
      failed: z.int(),
      waiting: z.int(),
      inFlight: z.int(),
    }),
  }),
  'region.down': ofRegion.extend({ health: z.enum(['unreachable', 'refuses-login']) }),
  'region.up': ofRegion,
  'backup.failed': z.object({
    room: z.object({ id: z.uuid(), name: z.string(), region: z.string() }),
    policy: z.object({ id: z.uuid(), name: z.string() }),
    dueAt: z.iso.datetime(),
    /** `missed`: it could not be begun, because the room or its region was busy all the time. */
    outcome: z.enum(['failed', 'missed']),
    operationId: z.uuid().nullable(),
    ...why,
  }),
  'attention.changed': z.object({
    /** `changed`: its severity is another one. Counts that change are not told. */
    what: z.enum(['began', 'changed', 'ended']),
    kind: z.string(),
    severity: z.enum(attentionSeverities),
    since: z.iso.datetime(),
    count: z.int().nullable(),
    /** In English. */
    text: z.string(),
    params: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
  'webhook.test': z.object({ webhook: z.object({ id: z.uuid(), name: z.string() }) }),
} as const satisfies Record<string, z.ZodObject>

export type WebhookMessage = keyof typeof webhookData
export type WebhookData<Type extends WebhookMessage> = z.output<(typeof webhookData)[Type]>

/** When each event happens, for people. */
export const aboutWebhookEvents: Record<WebhookMessage, string> = {
  'room.created': 'A project room was created, imported, brought back, or adopted from its region.',
  'room.changed':
    'The settings or the labels of a project room were changed, it moved to another region, or its state changed by itself.',
  'room.suspended': 'A project room was suspended.',
  'room.resumed': 'A suspended project room was opened for its users again.',
  'room.deleted': 'A project room was deleted, or removed from the console with its region.',
  'room.expiring': 'The last day of a project room is near, by EXPIRY_REMINDER_DAYS.',
  'operation.failed': 'An operation failed.',
  'migration.ended': 'A run of a live migration ended.',
  'region.down': 'A region does not answer, or refuses the login.',
  'region.up': 'A region that was down answers again.',
  'backup.failed': 'A scheduled backup failed, or could not be begun in its time.',
  'attention.changed': 'Something needs attention, its severity changed, or it no longer does: see the overview.',
  'webhook.test': 'An operator has sent a test.',
}

/** The body of a delivery. `timestamp`: when the event happened. */
export function webhookBody<Type extends WebhookMessage>(type: Type) {
  return z.object({ type: z.literal(type), timestamp: z.iso.datetime(), data: webhookData[type] })
}
