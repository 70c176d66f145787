import type { Answer } from '@roomkeeper/contract'
import { queryOptions } from '@tanstack/react-query'
import { client, inBackground } from '#api/client.ts'
import { type MonitoringSearch, queryOf } from './monitoring-search.ts'

export type MonitoringPage = Answer<'monitoring'>['body']

/** A page of the background processes, running and ended. */
export function monitoringQuery(search: MonitoringSearch) {
  return queryOptions({
    queryKey: ['monitoring', search],
    queryFn: async ({ signal }): Promise<MonitoringPage> =>
      (await client.call('monitoring', { query: queryOf(search), signal })).body,
    staleTime: 0,
  })
}

/** The same page, asked for by the console itself. */
export async function fetchMonitoringInBackground(search: MonitoringSearch): Promise<MonitoringPage> {
  return (await client.call('monitoring', { query: queryOf(search), headers: inBackground })).body
}
