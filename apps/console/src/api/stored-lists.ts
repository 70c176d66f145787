/**
 * Lists kept in local storage, so that a page shows something at once: for each table the last page that was shown.
 * They contain customers' data and are cleared whenever a session ends.
 */
import { ownName } from './cookies.ts'

const prefix = () => ownName('roomkeeper.list.')

interface StoredList<List> {
  /** The page, search, order and filters that the list answers. */
  query: string
  list: List
}

export function storeList<List>(table: string, query: string, list: List): void {
  try {
    localStorage.setItem(prefix() + table, JSON.stringify({ query, list } satisfies StoredList<List>))
  } catch {
    // Storage is full or forbidden. Then a page shows nothing at once, which does no harm.
    localStorage.removeItem(prefix() + table)
  }
}

/** The stored list if it answers exactly this query. The caller has to check its shape. */
export function storedList(table: string, query: string): unknown {
  try {
    const found = JSON.parse(localStorage.getItem(prefix() + table) ?? 'null') as StoredList<unknown> | null
    return found?.query === query ? found.list : undefined
  } catch {
    return undefined
  }
}

export function clearStoredLists(): void {
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index))
  for (const key of keys) if (key?.startsWith(prefix())) localStorage.removeItem(key)
}
