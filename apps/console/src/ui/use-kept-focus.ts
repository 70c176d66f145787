import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * A busy button is disabled, and the browser then takes its focus away. This gives it back when the work has ended.
 * @param elsewhere what gets the focus if the element cannot have it any more
 */
export function useKeptFocus(isBusy: boolean, elsewhere: () => HTMLElement | null = nowhere): void {
  const focused = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (isBusy) focused.current = document.activeElement
  }, [isBusy])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the work has ended.
  useEffect(() => {
    const before = focused.current
    if (isBusy || !(before instanceof HTMLElement) || before === document.body) return
    focused.current = null
    if (document.activeElement !== document.body && document.activeElement !== before) return
    const canHaveIt = before.isConnected && !before.matches(':disabled')
    const target = canHaveIt ? before : elsewhere()
    target?.focus({ preventScroll: true })
  }, [isBusy])
}

function nowhere(): null {
  return null
}
