/** Webhooks: addresses of other programs that are told what happens, and what was sent to them. */
export { DeliveriesPage } from './DeliveriesPage.tsx'
export { type DeliveriesSearch, parseDeliveriesSearch } from './deliveries-search.ts'
export { WebhooksPage } from './WebhooksPage.tsx'
