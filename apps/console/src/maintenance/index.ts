/** The maintenance mode: what visitors and operators are told. */
export { MaintenancePage } from './MaintenancePage.tsx'
export { useMaintenance } from './use-maintenance.ts'
