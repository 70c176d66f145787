/**
 * Operations: the durable core. An operation is waiting, running or cancelling, then done, failed or cancelled. This
 * folder knows no kind: features define theirs with `operation()` and start them with `startOperation()`, in the
 * transaction that reserves what they need. Start at run-operation.ts; engine/ decides which worker runs an operation.
 */
export { type AddedLogLine, addLogLine } from './add-log-line.ts'
export { awaitOperation } from './await-operation.ts'
export { openChildren } from './cancel-children.ts'
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
export { findStarted, startOnce } from './idempotency.ts'
export {
  countItems,
  countItemsOf,
  type ItemCounts,
  type ItemState,
  lockWaiting,
  paceOfItems,
  recordBegun,
  recordItem,
  runItems,
  secondsLeft,
} from './items/index.ts'
export { cancelOperation, type OperationsCore, retryOperation } from './manage-operation.ts'
export {
  type AnyOperation,
  noUndo,
  type Operation,
  type OperationKinds,
  type OperationRecord,
  operation,
  operationKinds,
  type StartParts,
  type Step,
  type StepCall,
  type StepRef,
  step,
} from './operation.ts'
export { operationHandlers } from './operation-routes.ts'
export type { Services } from './services.ts'
export { startOperation } from './start-operation.ts'
export { changeOutput, outputOfStep, stateOfStep } from './step-record.ts'
export type { OperationTables } from './tables.ts'
export { tidyOperations } from './tidy-operations.ts'
export { startWorker, type Worker } from './worker.ts'
