/**
 * Operations: the durable core. An operation is waiting, running or cancelling, then done, failed or cancelled. This
 * folder knows no kind: features define theirs with `operation()` and start them with `startOperation()`, in the
 * transaction that reserves what they need. Start at run-operation.ts; engine/ decides which worker runs an operation.
 */
export { findOrphaned } from './engine/index.ts'
export {
  NotYet,
  RegionLoginRefused,
  reasonsOf,
  StepFailed,
  TookEffect,
  toldByRegion,
  unexpectedError,
} from './failures.ts'
export {
  addItems,
  type Begun,
  cancelWaitingItems,
  countItems,
  countItemsOf,
  failWaitingItems,
  type ItemCounts,
  type ItemRoom,
  type ItemState,
  type ItemWork,
  type NeedsRegion,
  noItems,
  paceOfItems,
  recordItem,
  regionsWaitedFor,
  retryFailedItems,
  runItems,
  secondsLeft,
  settleItems,
  shareOfItems,
  stopItems,
  totalOf,
  waitingItems,
} from './items/index.ts'
export {
  cancelOperation,
  failedLast,
  type OperationsCore,
  previewRetries,
  type RetryPreview,
  retryWithin,
} from './manage-operation.ts'
export {
  type AnyOperation,
  noUndo,
  type Operation,
  type OperationKinds,
  type OperationRecord,
  operation,
  operationKinds,
  type Services,
  type StartParts,
  type Step,
  type StepCall,
  type StepRef,
  step,
} from './operation.ts'
export { type AddedLogLine, addLogLine, changeOutput, outputOfStep, stateOfStep } from './operation-record.ts'
export { operationHandlers } from './operation-routes.ts'
export { awaitOperation, findStarted, roomIsBusy, startOnce, startOperation } from './start-operation.ts'
export { tidyOperations } from './tidy-operations.ts'
export { waitingStepSql } from './waiting-step.ts'
export { startWorker, type Worker } from './worker.ts'
