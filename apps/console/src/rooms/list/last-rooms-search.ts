/** Where the list was left, so that the way back leads to the same rows. Kept for this visit only. */
import type { RoomsSearch } from './search.ts'

let last: RoomsSearch = {}

export function noteRoomsSearch(search: RoomsSearch): void {
  last = search
}

export function lastRoomsSearch(): RoomsSearch {
  return last
}
