/**
 * Bulks: one action for many rooms. A bulk is an operation (bulk-run.ts) whose items are the selected rooms, fixed in
 * the statement that starts it; each room gets an operation of its own, in the background. A bulk is WAITING, RUNNING,
 * then DONE, PARTIALLY_DONE, FAILED or CANCELLED. Start at bulk-routes.ts; what an action is stands in actions.ts.
 */
import { bulkRun } from './bulk-run.ts'

export { bulkHandlers } from './bulk-routes.ts'
export type { BulkTables } from './tables.ts'
export { tidyBulks } from './tidy-bulks.ts'

export const bulkOperations = [bulkRun] as const
