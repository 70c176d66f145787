/** Notifications for customers. */
export { NotificationsPage } from './NotificationsPage.tsx'
export { type NotificationsSearch, parseNotificationsSearch } from './search.ts'
