import { useEffect, useEffectEvent } from 'react'

interface TableKeys {
  /** Called for `/`. */
  onSearch: () => void
  /** `j` moves by 1, `k` by -1. */
  onMove: (by: 1 | -1) => void
  /** Called for `Enter` on a row. @returns whether a row was opened */
  onOpen: () => boolean
  /** `l` turns by 1, `h` by -1. */
  onPage: (by: 1 | -1) => void
  /** Called for `?`. */
  onHelp: () => void
}

/** The keys of a table: on the whole page, but not in fields, on buttons (`Enter`) or while a dialog is open. */
export function useTableKeys(keys: TableKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
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
    case 'Enter':
      return keys.onOpen()
    default:
      return false
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}

/** Moves the focus by rows; if no row has it, to the first or last row. For tables with `hasFocusableRows`. */
export function focusRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-row][tabindex]')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const next = at === -1 ? (by === 1 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1)
  rows[next]?.focus()
}

/** The id of the row that itself has the focus, not of a row with a focused button. */
export function focusedRow(): string | null {
  const { activeElement } = document
  return activeElement instanceof HTMLTableRowElement ? (activeElement.dataset.row ?? null) : null
}
