import type { Region } from '@roomkeeper/contract'
import { IconServer } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'
import type { Command } from './command.ts'

/** The regions: each leads to its rooms. */
export function useRegionCommands(): Command[] {
  const { t } = useTranslation('commands')
  const navigate = useNavigate()
  const { data = [] } = useQuery(regionsQuery)
  return data.map(
    ({ regionId, regionName, numberOfProjectRooms }: Region): Command => ({
      id: `region:${regionId}`,
      group: 'regions',
      label: regionName,
      detail: t('regionDetail', { count: numberOfProjectRooms }),
      icon: IconServer,
      run: () => void navigate({ to: '/project/statistics', search: { region: regionId } }),
    }),
  )
}
