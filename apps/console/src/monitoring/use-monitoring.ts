import { useThrottledCallback } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLiveEvents, usePollInterval } from '#api/events.ts'
import type { MonitoringSearch } from './monitoring-search.ts'
import { fetchMonitoringInBackground, monitoringQuery } from './queries.ts'

const refetchMilliseconds = 1000

/** A page of the monitoring, kept as it is on the server while it is shown. */
export function useMonitoring(search: MonitoringSearch) {
  const queryClient = useQueryClient()
  const refetch = useThrottledCallback(() => {
    // What cannot be fetched now is fetched with the next event or poll.
    fetchMonitoringInBackground(search).then(
      (page) => queryClient.setQueryData(monitoringQuery(search).queryKey, page),
      () => undefined,
    )
  }, refetchMilliseconds)
  useLiveEvents((event) => {
    if (event.type === 'operation' || event.type === 'reset') refetch()
  })
  const pollInterval = usePollInterval()
  useEffect(() => {
    if (pollInterval === false) return
    const timer = setInterval(refetch, pollInterval)
    return () => clearInterval(timer)
  }, [pollInterval, refetch])
  return useQuery({ ...monitoringQuery(search), placeholderData: keepPreviousData })
}
