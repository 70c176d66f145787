/** The inputs of a form as they stand on the screen: each carries the path of its field as `data-path`. */

export function hasInput(root: HTMLElement | null, path: string): boolean {
  return inputsOf(root).some((each) => each.dataset.path === path)
}

/** The first in the order of the screen. */
export function focusFirst(root: HTMLElement | null, paths: readonly string[]): void {
  const first = inputsOf(root).find((each) => paths.includes(each.dataset.path ?? ''))
  // A group of choices has the path; what can get the focus is in it.
  const target = first?.matches(focusable) === false ? first.querySelector<HTMLElement>(focusable) : first
  target?.focus()
}

const focusable = 'input, textarea, button, [contenteditable=true]'

function inputsOf(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>('[data-path]') ?? [])]
}
