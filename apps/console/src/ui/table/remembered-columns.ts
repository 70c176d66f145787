/** Which columns of a table an operator has hidden and how wide the others are, in local storage. */
export interface ChosenColumns {
  /** False: hidden. */
  columnVisibility: Record<string, boolean>
  /** In pixels. */
  columnSizing: Record<string, number>
}

const keyOf = (table: string) => `roomkeeper.columns.${table}`

export function rememberedColumns(table: string | undefined): ChosenColumns {
  const kept: unknown = table === undefined ? null : parsed(localStorage.getItem(keyOf(table)))
  const { columnVisibility, columnSizing } = (kept ?? {}) as Record<string, unknown>
  return {
    columnVisibility: entriesOf(columnVisibility, (value) => typeof value === 'boolean'),
    columnSizing: entriesOf(columnSizing, (value) => typeof value === 'number' && value > 0 && value < 10_000),
  }
}

/** What is as it was at first is not kept. */
export function rememberColumns(table: string, { columnVisibility, columnSizing }: ChosenColumns): void {
  const isFirst = Object.values(columnVisibility).every(Boolean) && Object.keys(columnSizing).length === 0
  if (isFirst) localStorage.removeItem(keyOf(table))
  else localStorage.setItem(keyOf(table), JSON.stringify({ columnVisibility, columnSizing }))
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/** Anybody may have written there. */
function entriesOf<Value>(kept: unknown, isValue: (value: unknown) => boolean): Record<string, Value> {
  if (typeof kept !== 'object' || kept === null) return {}
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => isValue(value)))
}
