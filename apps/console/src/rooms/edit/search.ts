/** The open tab of the edit screen in the URL. */
import { oneOf, readSearch, type SearchOf, wholeNumber } from '#ui/url-search.ts'

export const editTabs = ['overview', 'settings', 'databases', 'backups', 'history'] as const
export type EditTab = (typeof editTabs)[number]

/** If absent: the settings, and the newest page of the history. */
const parameters = {
  tab: oneOf(['overview', 'databases', 'backups', 'history'] as const satisfies readonly EditTab[]),
  /** The page of the history, counted from 1. */
  page: wholeNumber(2, 1_000_000_000),
}
type EditSearch = SearchOf<typeof parameters>

export function parseEditSearch(given: Record<string, unknown>): EditSearch {
  const { page, ...search } = readSearch(parameters, given)
  return search.tab === 'history' && page !== undefined ? { ...search, page } : search
}
