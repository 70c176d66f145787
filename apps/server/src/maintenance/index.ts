/**
 * Maintenance mode, with the message that customers see. Operators can still sign in and work. The customer-facing
 * pages and the rooms on the regions show the message instead of their content.
 */
export { maintenanceHandlers } from './maintenance-routes.ts'
