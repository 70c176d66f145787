/** Operations that run or failed: steps, log, progress, cancel and retry. */

export { formatDuration } from './format-duration.ts'
export { CancelOperation, RetryOperation } from './OperationActions.tsx'
export { OperationLog } from './OperationLog.tsx'
export { type LoggedOperation, operationLogQuery } from './queries.ts'
export { RunningOperations } from './RunningOperations.tsx'
export { type StepTitle, useStepTitles } from './use-step-titles.ts'
export { managesOperation } from './who-manages.ts'
