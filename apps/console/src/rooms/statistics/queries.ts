import {
  editionCodes,
  productCodes,
  type RoomExportQuery,
  type RoomListQuery,
  salesChannelCodes,
} from '@roomkeeper/contract'
import { type Filter, pageQueryOf, wireQueryOf } from '../list/queries.ts'
import type { StatisticsSearch, Status } from './search.ts'

/** The query of get_tenants. @param size rows per page if the URL does not say */
export function statisticsListQuery(search: StatisticsSearch, size: number): RoomListQuery {
  return pageQueryOf(search, size, wireQueryOf(search, filtersOf(search)))
}

/** The query of the charts: the same rooms, in any order. */
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
