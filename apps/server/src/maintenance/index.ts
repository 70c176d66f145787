/**
 * Maintenance mode: on or off, with the message that visitors see. Operators can still sign in and work; customers'
 * pages, here and on the regions, show the message instead.
 */
export { maintenanceHandlers } from './maintenance-routes.ts'
export type { MaintenanceTables } from './tables.ts'
