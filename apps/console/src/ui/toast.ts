/**
 * Toasts confirm what was done. Success and warning toasts close by themselves; errors stay until they are closed. The
 * component that draws toasts is loaded with the first one: it adds 15 kB, of which the sign-in has no room for any.
 */
import { createStore } from '#store.ts'
import type { ShownToast } from './ToastHost.tsx'

/** Whether there has been a toast yet. */
export const toastHasCome = createStore(false)

export function toastSuccess(title: string, text: string): void {
  showToast({ kind: 'success', title, text })
}

export function toastWarning(title: string, text: string): void {
  showToast({ kind: 'warning', title, text })
}

export function toastError(title: string, text: string): void {
  showToast({ kind: 'error', title, text })
}

/** A toast that is shown already counts up instead, or changes if it has an id. */
export function showToast(toast: ShownToast): void {
  toastHasCome.set(true)
  // Without it there is nothing to say it with.
  void import('./ToastHost.tsx').then((host) => host.showToast(toast)).catch(() => undefined)
}

/** Closes all toasts: they tell of a session that is over. */
export function closeToasts(): void {
  if (!toastHasCome.get()) return
  // Without it there are none.
  void import('./ToastHost.tsx').then((host) => host.closeToasts()).catch(() => undefined)
}
