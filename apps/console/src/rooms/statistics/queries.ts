import { editionCodes, productCodes, type RoomExportQuery, salesChannelCodes } from '@roomkeeper/contract'
import { type Filter, requestOf } from '../list/list-request.ts'
import { type StatisticsSearch, statesOf } from './search.ts'

/** The rooms that the search asks for. */
export function statisticsQuery(search: StatisticsSearch): RoomExportQuery {
  return requestOf(search, filtersOf(search))
}

/** The query of the charts: the same rooms, in any order. */
export function chartsQuery(search: StatisticsSearch): Omit<RoomExportQuery, 'order_by' | 'order_dir'> {
  const { order_by: _, order_dir: __, ...narrowing } = statisticsQuery(search)
  return narrowing
}

function filtersOf({ product, edition, channel, region, status }: StatisticsSearch): Filter[] {
  const equals = (field: Filter['field'], value: number | string | undefined): Filter[] =>
    value === undefined ? [] : [{ field, value: String(value), condition: 'EQUALS' }]
  return [
    ...equals('projectRoomState', statesOf[status ?? 'all'].join('||')),
    ...equals('product', product && productCodes[product]),
    ...equals('edition', edition && editionCodes[edition]),
    ...equals('productType', channel && salesChannelCodes[channel]),
    ...equals('region', region),
  ]
}
