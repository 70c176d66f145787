import type { Maintenance } from '@roomkeeper/contract'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, inBackground } from '#api/client.ts'
import { useLiveEvents, usePollInterval } from '#api/events.ts'

/** Whether the site is in maintenance mode; fetched in the background on every page. */
export const maintenanceQuery = queryOptions({
  queryKey: ['maintenance'],
  queryFn: async ({ signal }): Promise<Maintenance> =>
    (await client.call('maintenance', { headers: inBackground, signal })).body,
})

/** The setting, kept up to date. */
export function useMaintenance() {
  const queryClient = useQueryClient()
  const refetchInterval = usePollInterval()
  useLiveEvents((event) => {
    if (event.type === 'maintenance' || event.type === 'reset') void queryClient.invalidateQueries(maintenanceQuery)
  })
  return useQuery({ ...maintenanceQuery, refetchInterval })
}
