/** Which page of the notifications is shown, as it is in the URL; absent is the first. */
import { readSearch, type SearchOf, wholeNumber } from '#ui/url-search.ts'

const parameters = { page: wholeNumber(2, 1_000_000) }
export type NotificationsSearch = SearchOf<typeof parameters>

export const parseNotificationsSearch = (given: Record<string, unknown>): NotificationsSearch =>
  readSearch(parameters, given)
