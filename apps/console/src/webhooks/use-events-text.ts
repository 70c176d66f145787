import { type WebhookEvent, webhookEvents } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'

/** @returns a function that says which events are sent, by the names that receivers see */
export function useEventsText(): (events: readonly WebhookEvent[]) => string {
  const { t } = useTranslation('webhooks')
  return (events) => (events.length === webhookEvents.length ? t('allEvents') : events.join(', '))
}
