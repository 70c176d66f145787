/** What administrators set for everybody: the welcome video, maintenance mode, notifications. */
import { z } from 'zod'
import type { Route } from './route.ts'

/** Empty: no video is shown to new users. */
export const cloudConfiguration = z.object({
  youtubeIdentifier: z
    .string()
    .trim()
    .max(64)
    .regex(/^[\w-]*$/, 'A video identifier is letters, digits, hyphens and underscores.'),
})
export type CloudConfiguration = z.output<typeof cloudConfiguration>

export const maximumMaintenanceMessage = 5000
export const maintenance = z.object({ maintenanceMode: z.boolean(), maintenanceMessage: z.string() })
export type Maintenance = z.output<typeof maintenance>
export const maintenanceChange = z.object({
  maintenanceMode: z.boolean({ error: 'Please say whether the site is in maintenance mode.' }),
  maintenanceMessage: z
    .string({ error: 'Please enter the message.' })
    .trim()
    .min(1, 'Please enter the message.')
    .max(maximumMaintenanceMessage, `The message can have at most ${maximumMaintenanceMessage} characters.`),
})

/** 0 and 1 on the wire. */
const bit = z.codec(z.union([z.literal(0), z.literal(1)], { error: 'Must be 0 or 1.' }), z.boolean(), {
  decode: (number) => number === 1,
  encode: (flag) => (flag ? 1 : 0),
})
const time = z.iso.datetime({ offset: true, error: 'Please enter a date and time.' })

/** `message` is HTML; the server keeps only what is on its allow-list. */
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
  message: 'The end must be after the start.',
}
const draft = z.object({
  message: z.string({ error: 'Please enter the message.' }).min(1, 'Please enter the message.').max(20_000),
  startDate: time,
  endDate: time,
  displayPopup: bit.default(false),
  deactivate: bit.default(false),
})
const isOrdered = (given: { startDate: string; endDate: string }) =>
  Date.parse(given.startDate) < Date.parse(given.endDate)
export const notificationDraft = draft.refine(isOrdered, endsAfterStart)
export type NotificationDraft = z.output<typeof notificationDraft>
export const notificationChange = draft.extend({ notificationId: z.int() }).refine(isOrdered, endsAfterStart)
export type NotificationChange = z.output<typeof notificationChange>

export const settingRoutes = {
  configuration: {
    method: 'GET',
    path: '/api/operator/configuration',
    access: 'admin',
    summary: 'The settings for all regions.',
    answers: { 200: cloudConfiguration },
  },
  saveConfiguration: {
    method: 'POST',
    path: '/api/operator/configuration',
    access: 'admin',
    summary: 'Changes the settings for all regions.',
    body: cloudConfiguration,
    answers: { 200: cloudConfiguration },
  },
  maintenance: {
    method: 'GET',
    path: '/api/maintenanceMode',
    access: 'public',
    summary: 'Whether the site is in maintenance mode, and what visitors are told.',
    answers: { 200: maintenance },
  },
  saveMaintenance: {
    method: 'POST',
    path: '/api/operator/maintenanceMode',
    access: 'admin',
    summary: 'Switches maintenance mode and sets its message.',
    body: maintenanceChange,
    answers: { 200: maintenance },
  },
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
    answers: { 200: notification },
  },
  deleteNotification: {
    method: 'DELETE',
    path: '/api/operator/notification/:id',
    access: 'admin',
    summary: 'Removes a notification.',
    params: z.object({ id: z.string().regex(/^\d{1,9}$/, 'This is not the id of a notification.') }),
    answers: { 204: true },
  },
} as const satisfies Record<string, Route>
