import { useEffect, useEffectEvent } from 'react'
import { singleKeysAreOn } from './single-keys.ts'

interface TableKeys {
  /** Called for `/`. */
  onSearch: () => void
  /** `j` moves by 1, `k` by -1. */
  onMove: (by: 1 | -1) => void
  /** Called for `Enter` on a row, and for `o` and `e`. @returns whether a row was opened */
  onOpen: () => boolean
  /** Called for `x`, and with a range for `X`. @returns whether a row was selected or deselected */
  onSelect?: (isRange: boolean) => boolean
  /** `l` turns by 1, `h` by -1. */
  onPage: (by: 1 | -1) => void
  /** Called for `?`. */
  onHelp: () => void
}

/** The keys of a table: on the whole page, but not in fields, on buttons (`Enter`) or while a dialog is open. */
export function useTableKeys(keys: TableKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    // Enter and the arrows are no shortcuts: they act where the focus is.
    if (event.key.length === 1 && !singleKeysAreOn()) return
    if (isTyping(event.target) || document.querySelector('[aria-modal="true"], [role="menu"]') !== null) return
    if (act(event.key, keys)) event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

function act(key: string, keys: TableKeys): boolean {
  switch (key) {
    case '/':
      keys.onSearch()
      return true
    case 'j':
    case 'k':
      keys.onMove(key === 'j' ? 1 : -1)
      return true
    case 'h':
    case 'l':
      keys.onPage(key === 'l' ? 1 : -1)
      return true
    case '?':
      keys.onHelp()
      return true
    case 'ArrowDown':
    case 'ArrowUp':
      // Elsewhere they scroll.
      if (focusedRow() === null) return false
      keys.onMove(key === 'ArrowDown' ? 1 : -1)
      return true
    case 'x':
    case 'X':
      return keys.onSelect?.(key === 'X') ?? false
    case 'Enter':
    case 'o':
    case 'e':
      return keys.onOpen()
    default:
      return false
  }
}

function isTyping(target: EventTarget | null): boolean {
  const fields = 'input:not([type="checkbox"]), textarea, select'
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(fields))
}

/** The ids of the rows in the order in which they are shown, which may be held while the data is in another. */
export function shownRowIds(): string[] {
  return [...document.querySelectorAll<HTMLElement>('tr[data-row]')].map((row) => row.dataset.row ?? '')
}

/** Moves the focus by rows; if no row has it, to the first or last row. For tables with `hasFocusableRows`. */
export function focusRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-row][tabindex]')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const next = at === -1 ? (by === 1 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1)
  rows[next]?.focus()
}

/** Moves the focus from the search to the first row. */
export function focusFirstRow(): void {
  document.querySelector<HTMLElement>('tr[data-row][tabindex]')?.focus()
}

/** The id of the row that itself has the focus, not of a row with a focused button. */
export function focusedRow(): string | null {
  const { activeElement } = document
  return activeElement instanceof HTMLTableRowElement ? (activeElement.dataset.row ?? null) : null
}
