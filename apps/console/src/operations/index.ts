/** Running and failed operations: steps, log, progress, cancel and retry. */

export { FailureText } from './FailureText.tsx'
export { LatestLines } from './LatestLines.tsx'
export { CancelOperation, managesOperation, RetryOperation } from './OperationActions.tsx'
export { formatDuration } from './OperationLog.tsx'
export { OperationLog } from './OperationLogOnDemand.tsx'
export { OutcomePill } from './OutcomePill.tsx'
export { kindsContaining, useKindTitles } from './operation-titles.ts'
export { nameOfProcess, useProcessNames, useSubjects } from './process-names.ts'
export { type LoggedOperation, operationLogQuery } from './queries.ts'
export { openOperations, RunningOperations, toggleOperations } from './RunningOperations.tsx'
export { type AcceptedAnswer, forgetAccepted, toastAccepted } from './toast-accepted.ts'
export { type StepTitle, useStepTitles } from './use-step-titles.ts'
