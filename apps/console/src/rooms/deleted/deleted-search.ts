/** The state of the screen of deleted rooms in the URL. */
import { flag, page, pageSize, readSearch, type SearchOf, text } from '#ui/url-search.ts'

/** For the remembered number of rows on a page. */
export const tableId = 'deleted-rooms'

/** If `purged` is absent: those that can come back. */
const parameters = { page, size: pageSize, search: text(64), purged: flag }
export type DeletedSearch = SearchOf<typeof parameters>

export const parseDeletedSearch = (given: Record<string, unknown>): DeletedSearch => readSearch(parameters, given)
