import { Skeleton } from '@mantine/core'
import type { RemovedRoomBackup } from '@roomkeeper/contract'
import { IconArchive } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { formatMoment } from '#ui/format-moment.ts'
import { LoadFailure } from '#ui/LoadFailure.tsx'
import classes from '#ui/Table.module.css'
import { DialogPager } from '#ui/table/DialogPager.tsx'
import { BackupRow } from './BackupRow.tsx'
import { DeleteBackupDialog } from './DeleteBackupDialog.tsx'
import { removedBackupsQuery, removedSize } from './queries.ts'

interface RemovedBackupsDialogProps {
  isOpen: boolean
  onClose: () => void
}

/** What was backed up of rooms that were removed with their region: it stays until it is deleted here. */
export function RemovedBackupsDialog({ isOpen, onClose }: RemovedBackupsDialogProps) {
  const { t } = useTranslation('backups')
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('removed.title')} width="wide">
      <RemovedBackups />
    </Dialog>
  )
}

function RemovedBackups() {
  const { t } = useTranslation('backups')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery(removedBackupsQuery(page - 1))
  if (data === undefined) {
    if (error === null) return <Skeleton height={180} />
    return <LoadFailure title={t('loadFailed')} text={textOf(error)} onAgain={() => void refetch()} />
  }
  if (data.totalElements === 0)
    return (
      <EmptyState
        icon={<IconArchive size={36} stroke={1.3} aria-hidden />}
        title={t('removed.none')}
        text={t('removed.hint')}
      />
    )
  // The last one of the last page may have been deleted.
  if (data.data.length === 0 && page > data.totalPages) setPage(data.totalPages)
  return (
    <>
      <p>{t('removed.hint')}</p>
      <RemovedTable backups={data.data} />
      <DialogPager
        page={page}
        size={removedSize}
        totalElements={data.totalElements}
        totalPages={data.totalPages}
        onPage={setPage}
      />
    </>
  )
}

function RemovedTable({ backups }: { backups: readonly RemovedRoomBackup[] }) {
  const { t } = useTranslation('backups')
  const [deleted, setDeleted] = useState<RemovedRoomBackup | null>(null)
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={t('removed.title')}>
        <thead>
          <tr>
            <th scope="col">{t('removed.room')}</th>
            <th scope="col">{t('removed.region')}</th>
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
            <BackupRow key={backup.id} backup={backup} lead={<Whose backup={backup} />} onDelete={setDeleted} />
          ))}
        </tbody>
      </table>
      <DeleteBackupDialog backup={deleted} onClose={() => setDeleted(null)} />
    </div>
  )
}

function Whose({ backup }: { backup: RemovedRoomBackup }) {
  const { t } = useTranslation('backups')
  return (
    <>
      <td>
        {backup.projectRoomName}
        {backup.databaseName !== null && <div>{backup.databaseName}</div>}
      </td>
      <td>
        {backup.regionName}
        <div>{t('removed.at', { at: formatMoment(backup.removedAt) })}</div>
      </td>
    </>
  )
}
