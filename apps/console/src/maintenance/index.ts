/** The maintenance mode: its screen and its banner. */
export { MaintenancePage } from './MaintenancePage.tsx'
export { useMaintenance } from './use-maintenance.ts'
