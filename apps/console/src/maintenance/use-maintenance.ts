import type { Maintenance } from '@roomkeeper/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client, inBackground } from '#api/client.ts'
import { usePollInterval } from '#api/events.ts'
import { useRefetchOnEvents } from '#api/follow-up.ts'

/** Whether the site is in maintenance mode; fetched in the background on every page. */
export const maintenanceQuery = queryOptions({
  queryKey: ['maintenance'],
  queryFn: async ({ signal }): Promise<Maintenance> => {
    const answer = await (await client.open('maintenance', { headers: inBackground, signal })).text()
    const given: Partial<Maintenance> | null = answer.trim() === '' ? null : JSON.parse(answer)
    // An empty answer means off with an empty message (specification 001 §3).
    return { maintenanceMode: false, maintenanceMessage: '', ...given }
  },
})

/** The setting, kept up to date. */
export function useMaintenance() {
  const refetchInterval = usePollInterval()
  useRefetchOnEvents(maintenanceQuery.queryKey, ({ type }) => type === 'maintenance')
  return useQuery({ ...maintenanceQuery, refetchInterval })
}
