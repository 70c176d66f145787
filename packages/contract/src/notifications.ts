/** Notifications: messages that customers see in their rooms between two points in time. */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import type { Route } from './route.ts'
import { fieldsOf, ignoring } from './unknown-fields.ts'

/** 0 and 1 on the wire. */
const bit = z.codec(z.union([z.literal(0), z.literal(1)], { error: coded('must-be-bit') }), z.boolean(), {
  decode: (number) => number === 1,
  encode: (flag) => (flag ? 1 : 0),
})
const time = z.iso.datetime({ offset: true, error: coded('moment-missing') })

/** `message` is HTML; the server removes everything that is not on its allow-list. */
export const notification = z.object({
  notificationId: z.int(),
  message: z.string(),
  startDate: z.iso.datetime(),
  endDate: z.iso.datetime(),
  displayPopup: bit,
  deactivate: bit,
})
export type Notification = z.output<typeof notification>

const endsAfterStart = {
  path: ['endDate'],
  message: coded('end-before-start'),
}
const draft = z.object({
  message: z
    .string({ error: coded('message-missing') })
    .min(1, coded('message-missing'))
    .max(20_000),
  startDate: time,
  endDate: time,
  displayPopup: bit.default(false),
  deactivate: bit.default(false),
})
const isOrdered = (given: { startDate: string; endDate: string }) =>
  Date.parse(given.startDate) < Date.parse(given.endDate)
export const notificationDraft = ignoring(draft.refine(isOrdered, endsAfterStart), fieldsOf(notification))
export type NotificationDraft = z.output<typeof notificationDraft>
export const notificationChange = draft.extend({ notificationId: z.int() }).refine(isOrdered, endsAfterStart)

export const notificationRoutes = {
  notifications: {
    method: 'GET',
    path: '/api/operator/notification',
    access: 'admin',
    summary: 'All notifications, those that begin last first.',
    answers: { 200: z.array(notification) },
  },
  createNotification: {
    method: 'POST',
    path: '/api/operator/notification',
    access: 'admin',
    summary: 'Adds a notification; its HTML is cleaned.',
    body: notificationDraft,
    answers: { 200: notification },
  },
  changeNotification: {
    method: 'PUT',
    path: '/api/operator/notification',
    access: 'admin',
    summary: 'Changes a notification; its HTML is cleaned.',
    body: notificationChange,
    refuses: ['notification-unknown'],
    answers: { 200: notification },
  },
  deleteNotification: {
    method: 'DELETE',
    path: '/api/operator/notification/:id',
    access: 'admin',
    summary: 'Removes a notification.',
    params: z.object({ id: z.string().regex(/^\d{1,9}$/, coded('notification-id-invalid')) }),
    refuses: ['notification-unknown'],
    answers: { 204: true },
  },
} as const satisfies Record<string, Route>
