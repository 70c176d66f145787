import { Skeleton } from '@mantine/core'
import type { ProjectRoom } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePollInterval } from '#api/events.ts'
import { textOf } from '#api/text-of-error.ts'
import { LoadFailure } from '#ui/LoadFailure.tsx'
import { Panel } from '#ui/Panel.tsx'
import { BackupsTable } from './BackupsTable.tsx'
import { backupsQuery } from './queries.ts'

/** The backups of a room, to be downloaded and deleted. For administrators only. */
export function BackupsPanel({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation('backups')
  const refetchInterval = usePollInterval()
  const { data, error, isPending, refetch } = useQuery({ ...backupsQuery(room), refetchInterval })
  return (
    <Panel title={t('title')} hint={t('hint')}>
      {error !== null && <LoadFailure title={t('loadFailed')} text={textOf(error)} onAgain={() => void refetch()} />}
      {isPending && <Skeleton height={108} />}
      {data?.length === 0 && <p>{t('none')}</p>}
      {data !== undefined && data.length > 0 && <BackupsTable label={t('title')} backups={data} />}
    </Panel>
  )
}
