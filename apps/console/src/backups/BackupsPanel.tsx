import type { ProjectRoom } from '@roomkeeper/contract'
import { whyNotRestore } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePollInterval } from '#api/events.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { loadStateOf } from '#api/queries.ts'
import { Panel } from '#ui/Page.tsx'
import { BackupsTable } from './BackupsTable.tsx'
import { backupsQuery } from './queries.ts'

/** The backups of a room, to restore, download or delete. For administrators only. */
export function BackupsPanel({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation(['backups', 'rooms'])
  const whyNot = whyNotRestore(room, useOperator().role)
  const navigate = useNavigate()
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
        restore={{
          why: whyNot === null ? null : t(`rooms:reasons.${whyNot}`),
          onClick: ({ id: backup }) =>
            void navigate({
              to: '/project/restore_project_room/$id',
              params: { id: room.tenantName },
              search: { backup },
            }),
        }}
      />
    </Panel>
  )
}
