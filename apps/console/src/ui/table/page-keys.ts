import type { PagerProps } from './Pager.tsx'

/** What the keys of a page with one table act on, beside what is in the page. */
export interface PageKeys {
  pages?: PagerProps | undefined
  /** Opens the row of this id. If absent: the link of its name, or else its details. */
  onOpen?: ((id: string) => void) | undefined
}

export function searchField(): HTMLElement | null {
  return document.querySelector<HTMLElement>('search :is(input, select)')
}

/** What opens a row, within it. */
export const opener = ':is(th a, [aria-expanded])'
