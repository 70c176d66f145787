/** What was chosen in the palette last, newest first. Names of rooms are customers' data: cleared with the session. */
import { storedList, storeList } from '#api/stored-lists.ts'

const table = 'recentCommands'
const mostRecent = 6

export function recentIds(): readonly string[] {
  const stored = storedList(table, '')
  return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string').slice(0, mostRecent) : []
}

export function noteRecent(id: string): void {
  storeList(table, '', [id, ...recentIds().filter((each) => each !== id)].slice(0, mostRecent))
}
