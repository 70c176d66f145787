/** What customers are told, and when. */
export { NotificationsPage } from './NotificationsPage.tsx'
export { type NotificationsSearch, parseNotificationsSearch } from './search.ts'
