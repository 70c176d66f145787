import type { ProjectRoom } from '@roomkeeper/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePollInterval } from '#api/events.ts'
import { apiQuery, loadStateOf } from '#api/queries.ts'
import { Panel } from '#ui/Page.tsx'
import { BackupsTable } from './BackupsTable.tsx'

/** The backups of a room, to download or delete. For administrators only. */
export function BackupsPanel({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation('backups')
  const refetchInterval = usePollInterval()
  const query = useQuery({ ...backupsQuery(room), refetchInterval })
  return (
    <Panel title={t('title')} hint={t('hint')}>
      <BackupsTable
        label={t('title')}
        backups={query.data}
        // The list is asked for again when an operation begins or ends: its rows answer the same question.
        load={{ ...loadStateOf(query, t('loadFailed')), isOutdated: false }}
        orderKey={room.tenantName}
        empty={<p>{t('none')}</p>}
      />
    </Panel>
  )
}

/** The backups of a room, newest first; fetched again when an operation of the room starts or ends. */
function backupsQuery({ tenantName, runningOperation }: ProjectRoom) {
  const key = ['rooms', 'backups', tenantName, runningOperation?.operationId ?? null]
  const query = { projectRoom: tenantName }
  return {
    ...apiQuery(key, 'roomBackups', { query }, { background: 'refetch-of-similar' }),
    placeholderData: keepPreviousData,
  }
}
