/** Finds the inputs of a form's fields by their `data-path`, and focuses them. */
import { type RefObject, useRef } from 'react'

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

/**
 * Whether the operator is in another dialog, which covers the form or is not yet covered by it, or goes on from one page
 * to the next.
 */
function isElsewhere(target: HTMLElement): boolean {
  if (document.activeElement?.matches('[data-keeps-focus]') === true) return true
  const dialog = document.activeElement?.closest('[role="dialog"]') ?? null
  return dialog !== null && dialog !== target.closest('[role="dialog"]')
}

export function hasInput(root: HTMLElement | null, path: string): boolean {
  return inputsOf(root).some((each) => each.dataset.path === path)
}

/** Focuses the first of the fields on the screen. */
export function focusFirstOf(root: HTMLElement | null, paths: readonly string[]): void {
  const first = inputsOf(root).find((each) => paths.includes(each.dataset.path ?? ''))
  if (first !== undefined) focusableIn(first)?.focus()
}

const focusable = 'input:not([type=file]), textarea, button, [contenteditable=true]'

/** In a group of choices, the group has the path and an input in it gets the focus. */
function focusableIn(field: HTMLElement): HTMLElement | null {
  return field.matches(focusable) ? field : field.querySelector<HTMLElement>(focusable)
}

/** The elements of the fields, in the order of the screen. */
function inputsOf(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>('[data-path]') ?? [])]
}
