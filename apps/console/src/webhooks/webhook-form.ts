/** The values in the form of a webhook. */
import { type Webhook, type WebhookDraft, type WebhookEvent, webhookEvents } from '@roomkeeper/contract'

export function formOf(stored: Webhook | null): WebhookDraft {
  if (stored === null) return { name: '', url: '', events: [...webhookEvents], isOn: true }
  const { name, url, events, isOn } = stored
  return { name, url, events: sortEvents(events), isOn }
}

/** In their own order, whichever was chosen first. */
export function sortEvents(events: readonly WebhookEvent[]): WebhookEvent[] {
  return webhookEvents.filter((each) => events.includes(each))
}
