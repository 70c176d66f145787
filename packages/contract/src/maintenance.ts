/** Maintenance mode: a message is shown instead of the console. */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import { asLines } from './plain-text.ts'
import type { Route } from './route.ts'
import { ignoring } from './unknown-fields.ts'

export const maximumMaintenanceMessage = 5000
export const maintenance = z.object({
  maintenanceMode: z.boolean(),
  maintenanceMessage: z.string(),
  /** This console is a drill: it shows what a restored database holds, and changes nothing. */
  isDrill: z.literal(true).optional(),
})
export type Maintenance = z.output<typeof maintenance>
const change = z.object({
  maintenanceMode: z.boolean({ error: coded('maintenance-mode-missing') }),
  maintenanceMessage: z
    .string({ error: coded('message-missing') })
    .overwrite(asLines)
    .trim()
    .min(1, coded('message-missing'))
    .max(maximumMaintenanceMessage, coded('message-too-long', { max: maximumMaintenanceMessage })),
})
/** Some clients send their token here, too. */
export const maintenanceChange = ignoring(change, ['token'])

export const maintenanceRoutes = {
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
} as const satisfies Record<string, Route>
