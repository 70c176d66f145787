/** The columns of a table that an operator has hidden, the widths of others and their order, kept in local storage. */

/** False hides a column; columns that are not named are as at first. */
type Visibility = Record<string, boolean>

interface ChosenColumns {
  columnVisibility: Visibility
  /** In pixels. */
  columnSizing: Record<string, number>
  /** Empty: as at first. */
  columnOrder: string[]
}

type Listener = (table: string) => void
const onChange = new Set<Listener>()
const onSet = new Set<Listener>()
const keyOf = (table: string) => `roomkeeper.columns.${table}`

export function rememberedColumns(table: string | undefined): ChosenColumns {
  const kept: unknown = table === undefined ? null : parsed(storedColumns(table))
  const { columnVisibility, columnSizing, columnOrder } = (kept ?? {}) as Record<string, unknown>
  return {
    columnVisibility: entriesOf(columnVisibility, (value) => typeof value === 'boolean'),
    columnSizing: entriesOf(columnSizing, (value) => typeof value === 'number' && value > 0 && value < 10_000),
    columnOrder: Array.isArray(columnOrder) ? columnOrder.filter((each) => typeof each === 'string') : [],
  }
}

/** As it is stored: the same text means the same choice. Null: as at first. */
export function storedColumns(table: string): string | null {
  return localStorage.getItem(keyOf(table))
}

const shown = new Map<string, readonly string[]>()

/** The ids of the columns that a table shows, or has shown last, in their order. */
export function shownColumns(table: string): readonly string[] {
  return shown.get(table) ?? []
}

export function noteShownColumns(table: string, ids: readonly string[]): void {
  shown.set(table, ids)
}

/** Stores a choice that was not made in the table itself; the table, if it is shown, takes it over. */
export function setColumns(table: string, chosen: ChosenColumns): void {
  rememberColumns(table, chosen)
  for (const tell of onSet) tell(table)
}

export function rememberColumns(table: string, { columnVisibility, columnSizing, columnOrder }: ChosenColumns): void {
  const chosen = [...Object.keys(columnVisibility), ...Object.keys(columnSizing), ...columnOrder]
  if (chosen.length === 0) localStorage.removeItem(keyOf(table))
  else localStorage.setItem(keyOf(table), JSON.stringify({ columnVisibility, columnSizing, columnOrder }))
  for (const tell of onChange) tell(table)
}

/** @param tell is called with the table whenever its columns were changed in this tab @returns ends that */
export function onColumnsChanged(tell: Listener): () => void {
  onChange.add(tell)
  return () => onChange.delete(tell)
}

/** @param tell is called with the table after `setColumns` @returns ends that */
export function onColumnsSet(tell: Listener): () => void {
  onSet.add(tell)
  return () => onSet.delete(tell)
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/** Entries of the right type; local storage may contain anything. */
function entriesOf<Value>(kept: unknown, isValue: (value: unknown) => boolean): Record<string, Value> {
  if (typeof kept !== 'object' || kept === null) return {}
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => isValue(value)))
}
