import { type Answer, type MonitoringEntry, type ProcessType, processTypeCodes } from '@roomkeeper/contract'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { client, inBackground } from '#api/client.ts'
import { useLiveEvents, usePollInterval } from '#api/events.ts'
import { fetchInto, useFollowUp } from '#api/follow-up.ts'
import { apiQuery } from '#api/queries.ts'
import { kindsContaining, processName } from '#operations/index.ts'

/** A page of the monitoring, kept up to date while it is shown. */
export function useMonitoring(search: MonitoringSearch) {
  const queryClient = useQueryClient()
  const note = useFollowUp(() => {
    const { queryKey } = monitoringQuery(search)
    return fetchInto(
      queryClient,
      queryKey,
      () => fetchMonitoringInBackground(search),
      (_, page) => page,
    )
  })
  useLiveEvents((event) => {
    if (event.type === 'operation' || event.type === 'reset') note('page')
  })
  const pollInterval = usePollInterval()
  useEffect(() => {
    if (pollInterval === false) return
    const timer = setInterval(() => note('page'), pollInterval)
    return () => clearInterval(timer)
  }, [pollInterval, note])
  return useQuery({ ...monitoringQuery(search), placeholderData: keepPreviousData })
}

type MonitoringPage = Answer<'monitoring'>['body']

/** A page of background processes, running and ended. */
function monitoringQuery(search: MonitoringSearch) {
  return apiQuery(['monitoring', search], 'monitoring', { query: queryOf(search) })
}

/** The same page, fetched in the background. */
async function fetchMonitoringInBackground(search: MonitoringSearch): Promise<MonitoringPage> {
  return (await client.call('monitoring', { query: queryOf(search), headers: inBackground })).body
}

export const monitoringSize = 10

export interface MonitoringSearch {
  text: string
  /** Counted from 1. */
  page: number
  sort: { by: keyof MonitoringEntry & MonitoringSort; dir: 'asc' | 'desc' }
}
type MonitoringSort = 'projectRoomName' | 'region' | 'processType' | 'executionTime'

/** Newest first. */
export const firstSearch: MonitoringSearch = { text: '', page: 1, sort: { by: 'executionTime', dir: 'desc' } }

export function queryOf({ text, page, sort }: MonitoringSearch) {
  const kinds = text === '' ? [] : kindsContaining(text)
  return {
    page: page - 1,
    size: monitoringSize,
    sort_by: sort.by,
    order_by: sort.dir,
    name_search: text,
    type_filter: text === '' ? [] : typesContaining(text).map((type) => String(processTypeCodes[type])),
    kind_filter: kinds,
  }
}

/** Ignores case: `live` finds all process types of live migrations. Searches the names shown, and the English ones. */
export function typesContaining(text: string): ProcessType[] {
  const needle = text.toLowerCase()
  const types = Object.keys(processTypeCodes) as ProcessType[]
  return types.filter((type) => `${type}\n${processName(type)}`.toLowerCase().includes(needle))
}
