/**
 * Deliveries to webhooks and of e-mails. Webhooks are addresses of other programs that are told what happens; the mail
 * server is one more receiver (`mailServerId`), and e-mails are its deliveries. The record of a change (changes/) writes one
 * delivery for each webhook that listens. A delivery waits, is tried by a worker, and is delivered once it is answered with
 * 2xx; after 3 days it is ended. Those with one ordering key, such as a room's, go one after another. Start at start-delivering.ts; address-guard.ts says where nothing is sent to.
 */
import { deliveryHandlers } from './delivery-routes.ts'
import { type WebhookParts, webhookRouteHandlers } from './webhook-routes.ts'

export { type AddressGuard, createAddressGuard } from './address-guard.ts'
export { givenUpMails } from './given-up-mails.ts'
export { startDelivering } from './start-delivering.ts'
export { tidyWebhooks } from './tidy-webhooks.ts'
export type { MailParts } from './try-delivery.ts'

export function webhookHandlers(parts: WebhookParts) {
  return { ...webhookRouteHandlers(parts), ...deliveryHandlers(parts) }
}
