/**
 * The items of a parent operation: the rooms that it works through, each with a child operation of its own. An item is
 * waiting, running, then done, skipped, failed or cancelled. Runs of live migrations and bulks are such parents.
 */
export {
  countItems,
  countItemsOf,
  type ItemCounts,
  type ItemState,
  paceOfItems,
  removeOldItems,
  secondsLeft,
} from './count-items.ts'
export { lockWaiting, recordBegun, recordItem } from './record-item.ts'
export { runItems } from './run-items.ts'
export type { ItemTables } from './tables.ts'
