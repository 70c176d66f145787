/** The commands that were used last, newest first. Names of rooms are customers' data: cleared with the session. */
import { storedList, storeList } from '#api/stored-lists.ts'

const table = 'recentCommands'
const maxRecent = 6

export function recentIds(): readonly string[] {
  const stored = storedList(table, '')
  return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string').slice(0, maxRecent) : []
}

export function noteRecent(id: string): void {
  storeList(table, '', [id, ...recentIds().filter((each) => each !== id)].slice(0, maxRecent))
}

/** The same in another order: what was used last comes first. */
export function recentFirst<Item>(items: readonly Item[], idOf: (item: Item) => string): Item[] {
  const recent = recentIds()
  const rankOf = (item: Item) => {
    const rank = recent.indexOf(idOf(item))
    return rank === -1 ? recent.length : rank
  }
  return items.toSorted((one, other) => rankOf(one) - rankOf(other))
}
