/** The calls that customers and their rooms may make without signing in to the console. */
import { z } from 'zod'
import { cloudConfiguration } from './cloud-configuration.ts'
import { coded } from './field-errors.ts'
import { notification } from './notifications.ts'
import { inNfc, refuseUnlessKey } from './plain-text.ts'
import { emailPattern } from './room-fields.ts'
import type { Route } from './route.ts'

/** `file` is the path, on this server, of the language's texts. */
export const language = z.object({ localeKey: z.string(), file: z.string() })
export type Language = z.output<typeof language>

const inForce = notification.omit({ deactivate: true })
export type CustomerNotification = z.output<typeof inForce>

/** The customer-facing pages of the console; each may show the embedded component instead of the built-in one. */
export const customerPages = ['login', 'forgot_password', 'reset_password', 'forgot_project_room_name'] as const
export type CustomerPage = (typeof customerPages)[number]

export const customerRoutes = {
  languages: {
    method: 'GET',
    path: '/api/customer/languages',
    access: 'public',
    summary: 'The languages of the console.',
    answers: { 200: z.array(language) },
  },
  customerNotifications: {
    method: 'GET',
    path: '/api/customer/notifications',
    access: 'public',
    summary: 'The notifications that are in force now.',
    answers: { 200: z.array(inForce) },
  },
  customerConfiguration: {
    method: 'GET',
    path: '/api/customer/configuration',
    access: 'public',
    summary: 'The welcome video.',
    answers: { 200: cloudConfiguration },
  },
  customerComponent: {
    method: 'GET',
    path: '/api/customer/component',
    access: 'public',
    summary: 'The script that brings the custom element for the customer-facing pages; null: the built-in pages.',
    answers: { 200: z.object({ url: z.url().nullable() }) },
  },
  findCustomerRoom: {
    method: 'POST',
    path: '/api/customer/room',
    access: 'public',
    summary: "The address of a project room; 10 calls per minute and client's address.",
    body: z.object({
      name: z
        .string({ error: coded('room-name-missing') })
        .trim()
        .toLowerCase()
        .min(1, coded('room-name-missing'))
        .max(64),
    }),
    refuses: ['address-unknown', 'too-many-calls'],
    answers: { 200: z.object({ url: z.string() }) },
  },
  forgotRoomName: {
    method: 'POST',
    path: '/api/customer/forgotRoomName',
    access: 'public',
    summary: 'E-mails the names of the project rooms of an address; the answer never tells whether there are any.',
    body: z.object({
      email: z
        .string({ error: coded('email-missing') })
        .overwrite(inNfc)
        .trim()
        .max(320)
        .regex(emailPattern, coded('email-invalid'))
        .superRefine(refuseUnlessKey),
    }),
    refuses: ['too-many-calls'],
    answers: { 204: true },
  },
} as const satisfies Record<string, Route>
