/**
 * The items of a parent operation: the rooms that it works through. An item is waiting, running, then done, skipped,
 * failed or cancelled. Bulks and runs of live migrations begin a child operation for each item (`runItems`); a force
 * delete works on its items itself.
 */
export {
  countItems,
  countItemsOf,
  type ItemCounts,
  type ItemState,
  noItems,
  paceOfItems,
  removeOldItems,
  secondsLeft,
  shareOfItems,
  totalOf,
} from './count-items.ts'
export {
  addItems,
  cancelWaitingItems,
  failWaitingItems,
  type ItemRoom,
  recordItem,
  retryFailedItems,
  settleItems,
  waitingItems,
} from './item-records.ts'
export { type Begun, type ItemWork, runItems, stopItems } from './run-items.ts'
export { type NeedsRegion, regionsWaitedFor } from './silent-regions.ts'
