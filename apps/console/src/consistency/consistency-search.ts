/** The state of the screen of findings in the URL. */
import type { FindingSeverity } from '@roomkeeper/contract'
import { flag, nameIn, page, pageSize, readSearch, type SearchOf, text } from '#ui/url-search.ts'

/** Written out because URLs are read before the contract is loaded. */
const severities: Record<FindingSeverity, true> = { error: true, warning: true, info: true }

/** If absent: all open findings. */
const parameters = { page, size: pageSize, search: text(64), severity: nameIn(severities), closed: flag }
export type ConsistencySearch = SearchOf<typeof parameters>

export const parseConsistencySearch = (given: Record<string, unknown>): ConsistencySearch =>
  readSearch(parameters, given)

export function isNarrowed({ search, severity }: ConsistencySearch): boolean {
  return search !== undefined || severity !== undefined
}
