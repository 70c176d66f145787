import { Skeleton } from '@mantine/core'
import type { ProjectRoom, RoomBackup } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { LoadFailure } from '#ui/LoadFailure.tsx'
import { Panel } from '#ui/Panel.tsx'
import classes from '#ui/Table.module.css'
import { BackupRow } from './BackupRow.tsx'
import { DeleteBackupDialog } from './DeleteBackupDialog.tsx'
import { backupsQuery } from './queries.ts'

/** The backups of a room, to be downloaded and deleted. For administrators only. */
export function BackupsPanel({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation('backups')
  const { data, error, isPending, refetch } = useQuery(backupsQuery(room))
  return (
    <Panel title={t('title')} hint={t('hint')}>
      {error !== null && <LoadFailure title={t('loadFailed')} text={textOf(error)} onAgain={() => void refetch()} />}
      {isPending && <Skeleton height={108} />}
      {data?.length === 0 && <p>{t('none')}</p>}
      {data !== undefined && data.length > 0 && <BackupsTable backups={data} />}
    </Panel>
  )
}

function BackupsTable({ backups }: { backups: readonly RoomBackup[] }) {
  const { t } = useTranslation('backups')
  const [deleted, setDeleted] = useState<RoomBackup | null>(null)
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={t('title')}>
        <thead>
          <tr>
            <th scope="col">{t('columns.createdAt')}</th>
            <th scope="col">{t('columns.kind')}</th>
            <th scope="col" className={classes.right}>
              {t('columns.size')}
            </th>
            <th scope="col">{t('columns.sha256')}</th>
            <th scope="col">{t('columns.verifiedAt')}</th>
            <th scope="col" className={classes.right}>
              {t('columns.actions')}
            </th>
          </tr>
        </thead>
        <tbody>
          {backups.map((backup) => (
            <BackupRow key={backup.id} backup={backup} onDelete={setDeleted} />
          ))}
        </tbody>
      </table>
      <DeleteBackupDialog backup={deleted} onClose={() => setDeleted(null)} />
    </div>
  )
}
