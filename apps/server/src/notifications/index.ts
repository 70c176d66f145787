/**
 * Notifications for customers: HTML that the customer-facing pages and the rooms show from its start until its end,
 * unless it is deactivated. clean-html.ts sanitizes what operators write before it is stored.
 */
export { notificationHandlers } from './notification-routes.ts'
