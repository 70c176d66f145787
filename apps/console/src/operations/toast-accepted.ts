import { mountToasts, toastSuccess } from '#ui/toast.ts'
import type { AcceptedToast } from './accepted-toast.ts'

/** The answer to a call that starts an operation. */
export interface AcceptedAnswer {
  body: { operationId: string }
}

let areFollowed = false

/** For the end of an operator's session: how their operations end is not told to the next one. */
export function forgetAccepted(): void {
  if (!areFollowed) return
  areFollowed = false
  void import('./followed-operations.tsx').then(({ forgetFollowed }) => forgetFollowed())
}

/** Says that an operation was accepted. The same toast says by itself how the operation ended. */
export function toastAccepted(operationId: string, toast: AcceptedToast): void {
  mountToasts()
  areFollowed = true
  // Without the module, the toast stays what it is.
  void import('./followed-operations.tsx').then(
    ({ follow }) => follow(operationId, toast),
    () => toastSuccess(toast.title, toast.text),
  )
}
