import { useEffect, useEffectEvent } from 'react'
import { isPageCovered, openDialog } from '../dialog/open-dialogs.ts'
import { onDemand } from '../on-demand.tsx'
import { opener, type PageKeys, rowCheckbox, searchField, singleKeysAreOn } from './page-keys.ts'

const KeysDialog = onDemand(() => import('./KeysDialog.tsx'), 'KeysDialog')

/**
 * The keys of a page with one table, which has `hasFocusableRows`, and with or without a search. They act on the whole
 * page, but not in fields, on buttons (`Enter`) or while a dialog is open.
 */
export function usePageKeys(page: PageKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    // Enter, Space and the arrows are no shortcuts: they act where the focus is.
    if (event.key.length === 1 && event.key !== ' ' && !singleKeysAreOn()) return
    if (isTyping(event.target) || isPageCovered() || document.querySelector('[role="menu"]') !== null) return
    if (act(event, page)) event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

function act({ key, target }: KeyboardEvent, page: PageKeys): boolean {
  switch (key) {
    case '/':
      searchField()?.focus()
      return true
    case 'j':
    case 'k':
      ;(page.onRow ?? focusRow)(key === 'j' ? 1 : -1)
      return true
    case 'h':
    case 'l':
      turn(page, key === 'l' ? 1 : -1)
      return true
    case '?':
      showKeys(page)
      return true
    case 'ArrowDown':
    case 'ArrowUp':
      // Elsewhere they scroll.
      if (focusedRow() === null) return false
      focusRow(key === 'ArrowDown' ? 1 : -1)
      return true
    case 'x':
    case 'X':
      return selectFocusedRow(key === 'X')
    case 'Enter':
    case 'o':
    case 'e':
      return open(page)
    case ' ':
      return focusedRow() !== null && peek(page, focusedRow())
    case 'Escape':
      return isOfPage(target) && peek(page, null)
    default:
      return false
  }
}

function isTyping(target: EventTarget | null): boolean {
  const fields = 'input:not([type="checkbox"]), textarea, select'
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(fields))
}

/** @returns whether a row has the focus, and can be opened */
function open({ onOpen }: PageKeys): boolean {
  const id = focusedRow()
  if (id === null) return false
  const pressed = document.querySelector<HTMLElement>(`tr:focus ${opener}`)
  if (onOpen !== undefined) onOpen(id)
  else pressed?.click()
  return onOpen !== undefined || pressed !== null
}

/** Whether Escape was pressed in the page itself: what lies above it has closed by now, and had the key for that. */
function isOfPage(target: EventTarget | null): boolean {
  return target instanceof Element && (target.matches('body, main') || target.closest('tr[data-row], aside') !== null)
}

/** @returns whether the page shows rows at its side */
function peek({ onPeek }: PageKeys, id: string | null): boolean {
  onPeek?.(id)
  return onPeek !== undefined
}

function turn({ pages }: PageKeys, by: 1 | -1): void {
  if (pages === undefined) return
  const page = pages.page + by
  if (page >= 1 && page <= (pages.totalPages ?? page)) pages.onPage(page)
}

/** Clicks the checkbox of the row that has the focus, or in which it is. @returns whether there is one */
function selectFocusedRow(isRange: boolean): boolean {
  const row = document.activeElement?.closest('tr[data-row]')
  const box = row?.querySelector(rowCheckbox) ?? null
  box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: isRange }))
  return box !== null
}

/** Moves the focus by rows, from the current row if no row has it; without one, to the first or last row. */
function focusRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-row][tabindex]')]
  const focused = rows.findIndex((row) => row.contains(document.activeElement))
  const at = focused === -1 ? rows.findIndex((row) => row.ariaCurrent === 'true') : focused
  const next = at === -1 ? (by === 1 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1)
  rows[next]?.focus()
}

/** Moves the focus from the search to the first row. */
export function focusFirstRow(): void {
  document.querySelector<HTMLElement>('tr[data-row][tabindex]')?.focus()
}

/** The id of the row that itself has the focus, not of a row with a focused button. */
function focusedRow(): string | null {
  const { activeElement } = document
  return activeElement instanceof HTMLTableRowElement ? (activeElement.dataset.row ?? null) : null
}

/** Shows the keyboard shortcuts. @param page whose; if absent, all that there are */
export function showKeys(page?: PageKeys): void {
  openDialog(<KeysDialog page={page} />)
}
