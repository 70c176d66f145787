/**
 * Lists kept in local storage, so that a page has something to show at once: per table the last page that was
 * seen. They hold customers' data and are cleared whenever a session ends.
 */
const prefix = 'roomkeeper.list.'

interface StoredList<List> {
  /** Which page of which search, sort and filters this is. */
  query: string
  list: List
}

export function storeList<List>(table: string, query: string, list: List): void {
  try {
    localStorage.setItem(prefix + table, JSON.stringify({ query, list } satisfies StoredList<List>))
  } catch {
    // Storage is full or forbidden: then there is only nothing to show at once.
    localStorage.removeItem(prefix + table)
  }
}

/** The stored list when it is the answer to just this query. Its shape is only as good as what was stored. */
export function storedList(table: string, query: string): unknown {
  try {
    const found = JSON.parse(localStorage.getItem(prefix + table) ?? 'null') as StoredList<unknown> | null
    return found?.query === query ? found.list : undefined
  } catch {
    return undefined
  }
}

export function clearStoredLists(): void {
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index))
  for (const key of keys) if (key?.startsWith(prefix)) localStorage.removeItem(key)
}
