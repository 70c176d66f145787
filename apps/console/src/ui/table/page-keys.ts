import type { PagerProps } from './Pager.tsx'

/** What the keys of a page with one table act on, beside what is in the page. */
export interface PageKeys {
  pages?: PagerProps | undefined
  /** Opens the row of this id. If absent: the link of its name, or else its details. */
  onOpen?: ((id: string) => void) | undefined
  /** Goes to the next or the previous row, on a page that shows one of them. If absent: the focus moves by rows. */
  onRow?: ((by: 1 | -1) => void) | undefined
  /** Shows the row of this id beside the rows, or closes what is shown there (null). If absent: rows are not shown so. */
  onPeek?: ((id: string | null) => void) | undefined
}

export function searchField(): HTMLElement | null {
  return document.querySelector<HTMLElement>('search :is(input, select)')
}

/** What opens a row, within it. */
export const opener = ':is(th a, [aria-expanded])'

/** What selects a row, within it. */
export const rowCheckbox = 'td > input[type="checkbox"]:enabled'

const singleKeysItem = 'roomkeeper.single-keys'

/**
 * Whether shortcuts of a single key are on in this browser. They can be switched off (WCAG 2.1.4), because speech input
 * and trembling hands press keys by accident.
 */
export function singleKeysAreOn(): boolean {
  return localStorage.getItem(singleKeysItem) !== 'off'
}

export function switchSingleKeys(areOn: boolean): void {
  if (areOn) localStorage.removeItem(singleKeysItem)
  else localStorage.setItem(singleKeysItem, 'off')
}
