/** The maintenance mode: whether it is on. */
export { useMaintenance } from './use-maintenance.ts'
