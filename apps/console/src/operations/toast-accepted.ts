import { mountToasts, toastSuccess } from '#ui/toast.ts'
import type { AcceptedToast } from './accepted-toast.ts'

/** The answer to a call that starts an operation. */
export interface AcceptedAnswer {
  body: { operationId: string }
}

/** Says that an operation was accepted. The same toast says by itself how the operation ended. */
export function toastAccepted(operationId: string, toast: AcceptedToast): void {
  mountToasts()
  // Without the module, the toast stays what it is.
  void import('./followed-operations.tsx').then(
    ({ follow }) => follow(operationId, toast),
    () => toastSuccess(toast.title, toast.text),
  )
}
