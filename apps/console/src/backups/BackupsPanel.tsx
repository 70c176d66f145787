import type { ProjectRoom } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePollInterval } from '#api/events.ts'
import { loadStateOf } from '#api/load-state.ts'
import { Panel } from '#ui/Page.tsx'
import { BackupsTable } from './BackupsTable.tsx'
import { backupsQuery } from './queries.ts'

/** The backups of a room, to be downloaded and deleted. For administrators only. */
export function BackupsPanel({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation('backups')
  const refetchInterval = usePollInterval()
  const query = useQuery({ ...backupsQuery(room), refetchInterval })
  return (
    <Panel title={t('title')} hint={t('hint')}>
      <BackupsTable
        label={t('title')}
        backups={query.data}
        load={loadStateOf(query, t('loadFailed'))}
        empty={<p>{t('none')}</p>}
      />
    </Panel>
  )
}
