/** What may get the focus instead of an element in it that is gone. */
const surroundings = 'dialog, form, main, section, tr, [role="dialog"], [role="tabpanel"], [role="alert"]'

/** Time for others to move the focus first, such as a dialog that gives it back. */
const graceMilliseconds = 50

/**
 * The browser lets the focus fall to the body when a button is disabled while its call runs, and when the focused
 * element is removed. This gives it back to the button when the call has ended. If the element is gone or stays
 * disabled, the nearest part of the page around it gets the focus, so that keys and screen readers go on from there.
 * @returns a function that ends this
 */
export function keepFocus(): () => void {
  // The element that has the focus, then those around it.
  let path: readonly HTMLElement[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const note = ({ target }: FocusEvent) => {
    path = pathTo(target)
  }
  // A click beside everything takes the focus away on purpose: the element could still have it.
  const forget = () =>
    queueMicrotask(() => {
      const [last] = path
      if (isLost() && last !== undefined && canHaveFocus(last)) path = []
    })
  const giveBack = () => {
    const [last] = path
    if (!isLost() || last === undefined || isBusy(last)) return
    const target = path.find((each) => canHaveFocus(each) && (each === last || each.matches(surroundings)))
    if (target === undefined) return
    if (target !== last && !target.hasAttribute('tabindex')) target.tabIndex = -1
    target.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(() => {
    if (!isLost() || path.length === 0) return
    clearTimeout(timer)
    timer = setTimeout(giveBack, graceMilliseconds)
  })
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', note)
  document.addEventListener('focusout', forget)
  return () => {
    clearTimeout(timer)
    observer.disconnect()
    document.removeEventListener('focusin', note)
    document.removeEventListener('focusout', forget)
  }
}

function pathTo(target: EventTarget | null): readonly HTMLElement[] {
  const path: HTMLElement[] = []
  for (let each = target; each instanceof HTMLElement; each = each.parentElement) path.push(each)
  return path
}

function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}

function canHaveFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled') && element.checkVisibility()
}

/** A busy button gets the focus back when it is no longer busy. */
function isBusy(element: HTMLElement): boolean {
  return element.isConnected && element.matches('[data-loading]:disabled')
}
