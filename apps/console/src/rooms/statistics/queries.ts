import type { RoomStatistics } from '@roomkeeper/contract'
import { queryOptions } from '@tanstack/react-query'
import { client, inBackground } from '#api/client.ts'
import type { StatisticsSearch } from './search.ts'
import { chartsQuery } from './wire-queries.ts'

/** The counts that the charts show; asked for again in the background while rooms change. */
export function roomStatisticsQuery(search: StatisticsSearch) {
  const query = chartsQuery(search)
  return queryOptions({
    queryKey: ['rooms', 'statistics', query],
    queryFn: async ({ signal, client: cache, queryKey }): Promise<RoomStatistics> => {
      const headers = cache.getQueryData(queryKey) === undefined ? {} : inBackground
      return (await client.call('roomStatistics', { query, headers, signal })).body
    },
    staleTime: 0,
  })
}
