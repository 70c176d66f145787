/** The maintenance mode: what visitors and operators are told. */
export { MaintenanceBanner } from './MaintenanceBanner.tsx'
export { MaintenancePage } from './MaintenancePage.tsx'
