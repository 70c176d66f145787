import { type RefObject, useRef } from 'react'
import { focusableIn, inputsOf } from './use-errors.ts'

/** The first field of a form has the focus when the form opens. */
export function useFirstFocus<Values extends object>(
  root: RefObject<HTMLFormElement | null>,
  isChanged: (values: Values) => boolean,
) {
  const opened = useRef<string | null>(null)
  return {
    focusFirst: () => {
      // On a touch screen the keyboard would cover half of what has just opened.
      if (matchMedia('(pointer: coarse)').matches) return
      const field = inputsOf(root.current).find((each) => !each.matches(':disabled'))
      const target = field === undefined ? null : focusableIn(field)
      if (target === null) return
      opened.current = field?.dataset.path ?? null
      // Once the operator uses the field, if only to go on by Tab, it is checked like any other.
      const use = () => (opened.current = null)
      for (const event of ['keydown', 'pointerdown']) target.addEventListener(event, use, { once: true })
      // For a dialog, which moves the focus into itself when it has been drawn.
      target.dataset.autofocus = 'true'
      if (!isElsewhere(target)) target.focus({ preventScroll: true })
    },
    /** Whether the operator leaves the field that got the focus by itself, without having used it. */
    isLeftUntouched: (path: string, values: Values): boolean => {
      const isFirst = path === opened.current
      opened.current = null
      return isFirst && !isChanged(values)
    },
  }
}

/** Whether the operator is in another dialog, which covers the form or is not yet covered by it. */
function isElsewhere(target: HTMLElement): boolean {
  const dialog = document.activeElement?.closest('[role="dialog"]') ?? null
  return dialog !== null && dialog !== target.closest('[role="dialog"]')
}
