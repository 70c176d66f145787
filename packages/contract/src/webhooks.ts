/**
 * Webhooks: addresses of other programs that are told what happens, signed as the Standard Webhooks specification says.
 * E-mails are deliveries, too: to the mail server, which is not among the webhooks.
 */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import { givenName } from './given-names.ts'
import { pageOf, queryInt } from './lists.ts'
import type { Route } from './route.ts'
import { fieldsOf, ignoring } from './unknown-fields.ts'
import { deliveryStates } from './wire-codes.ts'

export const webhookEvents = [
  'room.created',
  'room.changed',
  'room.suspended',
  'room.resumed',
  'room.deleted',
  'room.expiring',
  'operation.failed',
  'migration.ended',
  'region.down',
  'region.up',
  'backup.failed',
  'attention.changed',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]
/** In place of a webhook's id: the deliveries are e-mails. */
export const mailServerId = '00000000-0000-4000-8000-00000000e3a1'
/** The event that a test sends, even if the webhook listens to other events only. */
export const webhookTestEvent = 'webhook.test'

/** The addresses that it may lead to are the server's to judge. */
function isWebhookUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}

const draft = z.object({
  name: givenName,
  /** http or https, without user and password. */
  url: z
    .string({ error: coded('webhook-url-invalid') })
    .trim()
    .max(2000, coded('at-most-characters', { max: 2000 }))
    .refine(isWebhookUrl, coded('webhook-url-invalid')),
  events: z
    .array(z.enum(webhookEvents), { error: coded('webhook-events-missing') })
    .min(1, coded('webhook-events-missing'))
    .max(webhookEvents.length),
  isOn: z.boolean(),
})
export const webhookDraft = draft.extend({ isOn: draft.shape.isOn.default(true) })
export type WebhookDraft = z.output<typeof webhookDraft>

/** A receiver that is away for days may have a million, and counting them would take long. */
export const mostWaitingCounted = 10_000

export const webhook = draft.extend({
  name: z.string(),
  id: z.uuid(),
  /** Grows with each change. */
  version: z.int(),
  createdAt: z.iso.datetime(),
  /** An operator, or one of their API tokens. */
  createdBy: z.string(),
  /** When an operator changed its settings or its secret last. */
  changedAt: z.iso.datetime(),
  changedBy: z.string(),
  /** Deliveries that wait for their first or next try; at 10,000 there may be more. */
  waiting: z.int().max(mostWaitingCounted),
  lastDeliveredAt: z.iso.datetime().nullable(),
  /** Since when every try has failed, tests included; null: the last one was answered with 2xx, or there was none. */
  failingSince: z.iso.datetime().nullable(),
  /** When it was switched off by itself, after failing for 3 days; null: it was not. */
  switchedOffAt: z.iso.datetime().nullable(),
})
export type Webhook = z.output<typeof webhook>

/** `version`: the one that the change is based on; another one is stored: 409. Absent: not compared. */
export const webhookChange = ignoring(webhookDraft.extend({ version: z.int().nullish() }), fieldsOf(webhook))

/** `secret` begins with `whsec_` and is shown this once. */
export const madeWebhook = webhook.extend({ secret: z.string() })

/**
 * Why a try failed. `refused`: answered, but not with 2xx or a redirection. `answer-too-long`: its headers were.
 * `secret-unreadable`: nothing was sent, because the stored secret cannot be opened; a new one can be made.
 *
 * Of e-mails: `refused`: the mail server answered with 4xx or 5xx. `sign-in-refused`: it did not take the user and
 * password of SMTP_URL. `no-mailbox`: nothing was sent, because it is not the address of a single mailbox. `not-written`: the file
 * could not be written, where no mail server is set. `unanswered`: the mail server did not say whether it accepts what it was
 * sent, so that it may have been delivered; it is sent once more. `not-needed`: nothing was sent, because there was nothing to tell
 * any more, such as of the last day of a room that was extended.
 */
export const deliveryFailures = [
  'unreachable',
  'address-forbidden',
  'certificate',
  'timed-out',
  'redirected',
  'refused',
  'answer-too-long',
  'secret-unreadable',
  'sign-in-refused',
  'no-mailbox',
  'not-written',
  'unanswered',
  'not-needed',
] as const
export type DeliveryFailure = (typeof deliveryFailures)[number]

export const webhookDelivery = z.object({
  id: z.uuid(),
  /** The header `webhook-id`, or the Message-ID: the same for every try and for what is sent again. */
  messageId: z.string(),
  type: z.string(),
  room: z.string().nullable(),
  at: z.iso.datetime(),
  state: z.enum(deliveryStates),
  tries: z.int(),
  lastTryAt: z.iso.datetime().nullable(),
  /** When it is tried next, at the latest; null: it is not. */
  nextTryAt: z.iso.datetime().nullable(),
  /** The body as it is sent: JSON. Of an e-mail its address, and its text in each language; MAIL_LANGUAGE decides. */
  request: z.string(),
  /**
   * The answer to the last try. `body`: its first 2,000 characters. `status` 0: no answer, but an error of the
   * connection.
   */
  answer: z.object({ status: z.int(), body: z.string(), milliseconds: z.int() }).nullable(),
  failure: z.enum(deliveryFailures).nullable(),
})
export type WebhookDelivery = z.output<typeof webhookDelivery>

/** Newest first. */
export const webhookDeliveries = pageOf(webhookDelivery)

const byId = z.object({ id: z.uuid(coded('webhook-id-invalid')) })
const byDelivery = byId.extend({ deliveryId: z.uuid(coded('webhook-delivery-id-invalid')) })

export const webhookRoutes = {
  webhooks: {
    method: 'GET',
    path: '/api/operator/webhooks',
    access: 'admin',
    summary: 'All webhooks by name, without their secrets.',
    answers: { 200: z.array(webhook) },
  },
  createWebhook: {
    method: 'POST',
    path: '/api/operator/webhooks',
    access: 'admin',
    summary: 'Adds a webhook. The answer holds the secret of its signatures this once.',
    body: webhookDraft,
    refuses: ['webhook-name-taken', 'too-many-webhooks'],
    answers: { 200: madeWebhook },
  },
  changeWebhook: {
    method: 'PUT',
    path: '/api/operator/webhooks/:id',
    access: 'admin',
    summary: 'Replaces the settings of a webhook; its secret stays.',
    params: byId,
    body: webhookChange,
    refuses: ['webhook-unknown', 'webhook-stale', 'webhook-name-taken'],
    answers: { 200: webhook },
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/api/operator/webhooks/:id',
    access: 'admin',
    summary: 'Removes a webhook with its deliveries.',
    params: byId,
    refuses: ['webhook-unknown'],
    answers: { 204: true },
  },
  renewWebhookSecret: {
    method: 'POST',
    path: '/api/operator/webhooks/:id/secret',
    access: 'admin',
    summary: 'Makes a new secret, shown this once. For 24 hours both sign, so that the receiver can change over.',
    params: byId,
    refuses: ['webhook-unknown', 'too-many-webhook-secrets'],
    answers: { 200: z.object({ secret: z.string() }) },
  },
  testWebhook: {
    method: 'POST',
    path: '/api/operator/webhooks/:id/test',
    access: 'admin',
    summary:
      'Sends a test at once, also where the webhook is off, and answers how it went. Two calls by hand at a time for each webhook.',
    params: byId,
    refuses: ['webhook-unknown', 'too-many-calls'],
    answers: { 200: webhookDelivery },
  },
  webhookDeliveries: {
    method: 'GET',
    path: '/api/operator/webhooks/:id/deliveries',
    access: 'admin',
    summary: `The deliveries of a webhook of the last 30 days, newest first; with the id ${mailServerId} the e-mails.`,
    params: byId,
    query: z.object({
      page: queryInt({ min: 0, max: 100_000, default: 0 }),
      size: queryInt({ min: 1, max: 100, default: 20 }),
      state: z.enum(deliveryStates).optional(),
    }),
    refuses: ['webhook-unknown'],
    answers: { 200: webhookDeliveries },
  },
  resendWebhookDelivery: {
    method: 'POST',
    path: '/api/operator/webhooks/:id/deliveries/:deliveryId/resend',
    access: 'admin',
    summary:
      'Sends a delivery, or an e-mail, again at once, with its webhook-id or Message-ID, and answers how it went.',
    params: byDelivery,
    refuses: ['webhook-unknown', 'webhook-delivery-unknown', 'webhook-delivery-waits-its-turn', 'too-many-calls'],
    answers: { 200: webhookDelivery },
  },
} as const satisfies Record<string, Route>
