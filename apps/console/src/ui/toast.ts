/**
 * Toasts confirm what was done. Success and warning toasts close by themselves; errors stay until they are closed. The
 * component that draws toasts is loaded with the first one.
 */
import type { ShownToast } from './ToastHost.tsx'

export function toastSuccess(title: string, text: string): void {
  show('success', title, text)
}

export function toastWarning(title: string, text: string): void {
  show('warning', title, text)
}

export function toastError(title: string, text: string): void {
  show('error', title, text)
}

/** Closes all toasts: they tell of a session that is over. */
export function closeToasts(): void {
  if (!hasCome) return
  // Without it there are none.
  void import('./ToastHost.tsx').then((host) => host.closeToasts()).catch(() => undefined)
}

/** For `useSyncExternalStore`: whether there has been a toast yet. */
export const firstToast = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  hasCome: () => hasCome,
}

/** Has the layout draw toasts from now on. */
export function mountToasts(): void {
  hasCome = true
  for (const listener of listeners) listener()
}

const listeners = new Set<() => void>()
let hasCome = false

function show(kind: ShownToast['kind'], title: string, text: string): void {
  mountToasts()
  // Without it there is nothing to say it with.
  void import('./ToastHost.tsx').then(({ showToast }) => showToast({ kind, title, text })).catch(() => undefined)
}
