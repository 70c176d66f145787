/** Whether the panel of operations is open. The header shows it. */
import { createStore, useStore } from '#store.ts'

const isOpen = createStore(false)

export function openOperations(): void {
  isOpen.set(true)
}

export function closeOperations(): void {
  isOpen.set(false)
}

export function toggleOperations(): void {
  isOpen.set(!isOpen.get())
}

export function useIsPanelOpen(): boolean {
  return useStore(isOpen)
}
