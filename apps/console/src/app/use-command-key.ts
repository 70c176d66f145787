import { useEffect, useEffectEvent } from 'react'

/** Ctrl+K or ⌘K, wherever the focus is; not above another dialog, which would be lost from sight. */
export function useCommandKey(onKey: () => void, isOpen: boolean): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    if (isOpen || document.querySelector('[aria-modal="true"], dialog[open]') === null) onKey()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
