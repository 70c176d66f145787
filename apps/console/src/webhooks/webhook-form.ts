/** The form of a webhook: its values, and what a colleague has stored meanwhile. */
import { type Webhook, type WebhookDraft, type WebhookEvent, webhookEvents } from '@roomkeeper/contract'
import { withChanges } from '#ui/form/with-changes.ts'

export type WebhookForm = WebhookDraft

export const newWebhookForm: WebhookForm = { name: '', url: '', events: [...webhookEvents], isOn: true }

export function formOf({ name, url, events, isOn }: Webhook): WebhookForm {
  return { name, url, events: inOrder(events), isOn }
}

/** In their own order, whichever was chosen first. */
export function inOrder(events: readonly WebhookEvent[]): WebhookEvent[] {
  return webhookEvents.filter((each) => events.includes(each))
}

/** The settings that are compared when a colleague has stored others. */
const settings = ['name', 'url', 'events', 'isOn'] as const satisfies readonly (keyof WebhookForm)[]

/** The settings of the entries that differ from stored ones. */
export function changedSettings(form: WebhookForm, stored: Webhook) {
  const before = formOf(stored)
  return settings.filter((each) => JSON.stringify(form[each]) !== JSON.stringify(before[each]))
}

/** The entries on the basis of other stored settings: where nothing was changed, the stored values are taken over. */
export function rebased(form: WebhookForm, before: Webhook, stored: Webhook): WebhookForm {
  return withChanges(formOf(stored), formOf(before), form)
}

/** The events by what they are about. */
export const eventGroups = ['room', 'operation', 'migration', 'region', 'backup'] as const

export function eventsOf(group: (typeof eventGroups)[number]): WebhookEvent[] {
  return webhookEvents.filter((each) => each.startsWith(`${group}.`))
}
