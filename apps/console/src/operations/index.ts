/** Running and failed operations: steps, log, progress, cancel and retry. */

export { FailureText } from './FailureText.tsx'
export { type AcceptedAnswer, forgetAccepted, toastAccepted } from './followed-operations.tsx'
export { LatestLines, LineText } from './LatestLines.tsx'
export { CancelOperation, managesOperation, managesOperationOf, RetryOperation } from './OperationActions.tsx'
export { OperationLog } from './OperationLog.tsx'
export { OutcomePill } from './OutcomePill.tsx'
export { openOperations, toggleOperations } from './open-panel.ts'
export { kindsContaining, kindTitle, processName, stepTitle, targetName, targetNameAtStart } from './operation-names.ts'
export { type LoggedOperation, operationLogQuery } from './queries.ts'
export { OperationsIndicator, RunningOperations } from './RunningOperations.tsx'
export { WaitingOperation, WaitingStep } from './WaitingStep.tsx'
export { runningText } from './waiting-text.ts'
