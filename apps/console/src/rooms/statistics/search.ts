/** The state of the statistics screen in the URL. */
import { editions, type ProjectRoomState, products, salesChannels } from '@roomkeeper/contract'
import { oneOf, readSearch, type SearchOf, wholeNumber } from '#ui/url-search.ts'
import { type RoomsSearch, tableParameters } from '../list/search.ts'

export const statuses = ['active', 'suspended'] as const
export type Status = (typeof statuses)[number]

/** The choices of the dropdowns in the head of the table. If absent: all. */
const columnFilters = {
  product: oneOf(products),
  edition: oneOf(editions),
  channel: oneOf(salesChannels),
  /** The region's id. */
  region: wholeNumber(1),
  status: oneOf(statuses),
}
export type ColumnFilters = SearchOf<typeof columnFilters>

/** Defaults if absent: as in the list, with charts. */
const parameters = { ...tableParameters, ...columnFilters, charts: oneOf(['off'] as const) }
export type StatisticsSearch = SearchOf<typeof parameters>

/** Changes the URL. `replace`: without a new entry in the history. */
export type ChangeStatistics = (search: StatisticsSearch, how?: { replace: boolean }) => void

export const parseStatisticsSearch = (given: Record<string, unknown>): StatisticsSearch => readSearch(parameters, given)

/** Whether a filter or the search omits any rooms. */
export function isFiltered({ q, product, edition, channel, region, status }: StatisticsSearch): boolean {
  return [q, product, edition, channel, region, status].some((each) => each !== undefined)
}

/** Resets search and filters; order, rows per page and charts stay. */
export function withoutFilter({ size, sort, dir, charts }: StatisticsSearch): StatisticsSearch {
  return { size, sort, dir, charts }
}

/** Only rooms that are active or suspended are counted. */
export const statesOf = {
  all: ['SUSPENDED', 'DEFAULT'],
  active: ['DEFAULT'],
  suspended: ['SUSPENDED'],
} as const satisfies Record<Status | 'all', readonly ProjectRoomState[]>

/** The search of the list for the same rooms. */
export function listSearchOf(search: StatisticsSearch): RoomsSearch {
  const { q, in: scope, product, edition, channel, region, status } = search
  const states = statesOf[status ?? 'all'].join(',')
  return { q, in: scope, product, edition, channel, region: region?.toString(), status: states }
}
