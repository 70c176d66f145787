import type { Maintenance } from '@roomkeeper/contract'
import { IconBarrierBlock } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client, inBackground } from '#api/client.ts'
import { useLiveEvents, usePollInterval } from '#api/events.ts'
import classes from './MaintenanceBanner.module.css'

/** Tells every operator that visitors are kept out at the moment, and what they are told. */
export function MaintenanceBanner() {
  const { t } = useTranslation('app')
  const { data } = useMaintenance()
  return (
    <div role="status" aria-label={t('header.maintenance')}>
      {data?.maintenanceMode === true && (
        <div className={classes.banner}>
          <IconBarrierBlock size={18} stroke={1.8} aria-hidden />
          <strong>{t('maintenanceBanner')}</strong>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard. */}
          <p tabIndex={0}>{data.maintenanceMessage}</p>
        </div>
      )}
    </div>
  )
}

/** Whether the site is in maintenance mode; asked for by the console itself on every page. */
export const maintenanceQuery = queryOptions({
  queryKey: ['maintenance'],
  queryFn: async ({ signal }): Promise<Maintenance> =>
    (await client.call('maintenance', { headers: inBackground, signal })).body,
})

/** The setting as it is on the server now. */
export function useMaintenance() {
  const queryClient = useQueryClient()
  const refetchInterval = usePollInterval()
  useLiveEvents((event) => {
    if (event.type === 'maintenance' || event.type === 'reset') void queryClient.invalidateQueries(maintenanceQuery)
  })
  return useQuery({ ...maintenanceQuery, refetchInterval })
}
