/**
 * Bulks: one action for many rooms. A bulk is an operation (bulk-run.ts) whose items are the selected rooms, fixed in
 * the statement that starts it; each room gets an operation of its own, in the background. A bulk is WAITING, RUNNING,
 * then DONE, PARTIALLY_DONE, FAILED or CANCELLED. The update of the system databases of whole regions is one, too. Start
 * at bulk-routes.ts; what an action is stands in actions.ts.
 */
import { bulkRun } from './bulk-run.ts'
import { updateSystemDatabases } from './system-databases.ts'

export { bulkHandlers } from './bulk-routes.ts'
export { tidyBulks } from './stored-bulks.ts'

export const bulkOperations = [bulkRun, updateSystemDatabases] as const
