/** Moves the focus by rows; from nowhere to the first or last one. For tables with `hasFocusableRows`. */
export function focusRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-row][tabindex]')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const next = at === -1 ? (by === 1 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1)
  rows[next]?.focus()
}

/** The id of the row that has the focus itself, not a button in it. */
export function focusedRow(): string | null {
  const { activeElement } = document
  return activeElement instanceof HTMLTableRowElement ? (activeElement.dataset.row ?? null) : null
}
