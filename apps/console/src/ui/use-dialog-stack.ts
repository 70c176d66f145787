import { useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { useLastPresent } from './use-last-present.ts'

/** The open dialogs of the page, in the order in which they were opened. */
let stack: readonly symbol[] = []
const listeners = new Set<() => void>()

/** Keys that closed a dialog; no other one closes by them. */
export const handledEscapes = new WeakSet<KeyboardEvent>()

/** @returns how many open dialogs lie below this one, and whether none lies above: only then Escape is for it. */
export function useDialogStack(isOpen: boolean): { level: number; isTop: boolean } {
  const [id] = useState(() => Symbol('dialog'))
  useLayoutEffect(() => {
    if (!isOpen) return
    replace([...stack, id])
    return () => replace(stack.filter((each) => each !== id))
  }, [isOpen, id])
  const open = useSyncExternalStore(subscribe, () => stack)
  const position = open.indexOf(id)
  // A dialog that closes stays where it was until it is gone.
  const level = useLastPresent(position === -1 ? null : position) ?? 0
  return { level, isTop: position !== -1 && position === open.length - 1 }
}

function replace(next: readonly symbol[]): void {
  stack = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
