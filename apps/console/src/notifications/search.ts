/** The shown page of notifications in the URL; if absent, the first. */
import { readSearch, type SearchOf, wholeNumber } from '#ui/url-search.ts'

const parameters = { page: wholeNumber(2, 1_000_000) }
export type NotificationsSearch = SearchOf<typeof parameters>

export const parseNotificationsSearch = (given: Record<string, unknown>): NotificationsSearch =>
  readSearch(parameters, given)
