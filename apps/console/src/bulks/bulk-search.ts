/** The state of the screens of bulks in the URL. */
import type { BulkItemState } from '@roomkeeper/contract'
import { nameIn, page, pageSize, readSearch, type SearchOf, text } from '#ui/url-search.ts'

/** Written out because URLs are read before the contract is loaded. */
const states: Record<BulkItemState, true> = {
  FAILED: true,
  RUNNING: true,
  SKIPPED: true,
  WAITING: true,
  CANCELLED: true,
  DONE: true,
}

/** If absent: all rooms. */
const ofOne = { page, size: pageSize, search: text(64), state: nameIn(states) }
export type BulkSearch = SearchOf<typeof ofOne>
export const parseBulkSearch = (given: Record<string, unknown>): BulkSearch => readSearch(ofOne, given)

const ofAll = { page, size: pageSize }
export type BulksSearch = SearchOf<typeof ofAll>
export const parseBulksSearch = (given: Record<string, unknown>): BulksSearch => readSearch(ofAll, given)

export function isNarrowed({ search, state }: BulkSearch): boolean {
  return search !== undefined || state !== undefined
}
