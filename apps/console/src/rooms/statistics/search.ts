/** What the statistics screen shows, as it stands in the URL, and the queries that it means. */
import {
  type Edition,
  editionCodes,
  editions,
  type Product,
  productCodes,
  products,
  type RoomExportQuery,
  type RoomListQuery,
  type SalesChannel,
  salesChannelCodes,
  salesChannels,
} from '@roomkeeper/contract'
import { type Filter, parseRoomsSearch, type RoomsSearch, wireQueryOf } from '../list/search.ts'

export const statuses = ['active', 'suspended'] as const
export type Status = (typeof statuses)[number]

/** What the dropdowns below the heads of the columns choose. Absent: all. */
export interface ColumnFilters {
  product?: Product | undefined
  edition?: Edition | undefined
  channel?: SalesChannel | undefined
  /** The region's id. */
  region?: number | undefined
  status?: Status | undefined
}

/** Absent means the default: first page, remembered size, names descending, everything, with charts. */
export interface StatisticsSearch extends Omit<RoomsSearch, 'hideFailed'>, ColumnFilters {
  charts?: 'off' | undefined
}

/** Reads what may be anything; what cannot be understood is left out. */
export function parseStatisticsSearch(given: Record<string, unknown>): StatisticsSearch {
  const { hideFailed: _, ...search } = parseRoomsSearch(given)
  const region = Number(given.region)
  return {
    ...search,
    ...chosen('product', products, given.product),
    ...chosen('edition', editions, given.edition),
    ...chosen('channel', salesChannels, given.channel),
    ...(Number.isInteger(region) && region > 0 && region <= 2_147_483_647 ? { region } : {}),
    ...chosen('status', statuses, given.status),
    ...(given.charts === 'off' ? { charts: 'off' as const } : {}),
  }
}

function chosen<Key extends string, Value>(key: Key, values: readonly Value[], given: unknown): { [K in Key]?: Value } {
  const found = values.find((each) => each === given)
  return (found === undefined ? {} : { [key]: found }) as { [K in Key]?: Value }
}

/** Whether anything is left out that the screen could show. */
export function isFiltered({ q, product, edition, channel, region, status }: StatisticsSearch): boolean {
  return [q, product, edition, channel, region, status].some((each) => each !== undefined)
}

/** Everything again; order, rows per page and charts stay. */
export function withoutFilter({ size, sort, dir, charts }: StatisticsSearch): StatisticsSearch {
  return { size, sort, dir, charts }
}

/** The query of get_tenants. @param size rows per page where the URL says nothing */
export function statisticsListQuery(search: StatisticsSearch, size: number): RoomListQuery {
  return { page: (search.page ?? 1) - 1, size: search.size ?? size, ...wireQueryOf(search, filtersOf(search)) }
}

/** What the charts count: the same rooms whatever their order. */
export function chartsQuery(search: StatisticsSearch): Omit<RoomExportQuery, 'order_by' | 'order_dir'> {
  const { order_by: _, order_dir: __, ...narrowing } = wireQueryOf(search, filtersOf(search))
  return narrowing
}

/** Only rooms that are active or suspended are counted. */
const statesOf: Readonly<Record<Status | 'all', string>> = {
  all: 'SUSPENDED||DEFAULT',
  active: 'DEFAULT',
  suspended: 'SUSPENDED',
}

function filtersOf({ product, edition, channel, region, status }: StatisticsSearch): Filter[] {
  const equals = (field: Filter['field'], value: number | string | undefined): Filter[] =>
    value === undefined ? [] : [{ field, value: String(value), condition: 'EQUALS' }]
  return [
    ...equals('projectRoomState', statesOf[status ?? 'all']),
    ...equals('product', product && productCodes[product]),
    ...equals('edition', edition && editionCodes[edition]),
    ...equals('productType', channel && salesChannelCodes[channel]),
    ...equals('region', region),
  ]
}
