/**
 * Notifications for customers: HTML that is shown from its start until its end, unless it is deactivated, on the
 * customers' pages and in their rooms. What operators write is cleaned before it is stored (clean-html.ts).
 */
export { notificationHandlers } from './notification-routes.ts'
export type { NotificationTables } from './tables.ts'
