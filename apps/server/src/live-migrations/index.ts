/**
 * Live migrations: configurations say from which region to which rooms are moved; each start is a run, an operation
 * that moves its rooms one by one or in parallel. A configuration is STOPPED, RUNNING, FAILED, COMPLETED or
 * PARTIALLY_COMPLETED. What became of each room stands in the state entries. The calls are in the *-routes.ts files.
 */
import type { Database } from '#platform/database.ts'
import { configurationHandlers } from './configuration-routes.ts'

export function liveMigrationHandlers({ database }: { database: Database }) {
  return { ...configurationHandlers(database) }
}
