import { Skeleton } from '@mantine/core'
import type { RemovedRoomBackup } from '@roomkeeper/contract'
import { IconArchive } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { Dialog } from '#ui/dialog/Dialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { formatDate } from '#ui/format-moment.ts'
import { LoadFailure } from '#ui/LoadFailure.tsx'
import { DialogPager } from '#ui/table/DialogPager.tsx'
import { BackupsTable } from './BackupsTable.tsx'
import { removedBackupsQuery, removedSize } from './queries.ts'

/** What was backed up of rooms that were removed with their region: it stays until it is deleted here. */
export function RemovedBackupsDialog() {
  const { t } = useTranslation('backups')
  return (
    <Dialog title={t('removed.title')} width="wide">
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
  return (
    <BackupsTable
      label={t('removed.title')}
      backups={backups}
      leadTitles={[t('removed.room'), t('removed.region')]}
      leadOf={(backup) => <Whose backup={backup} />}
    />
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
        <div>{t('removed.at', { at: formatDate(backup.removedAt) })}</div>
      </td>
    </>
  )
}
