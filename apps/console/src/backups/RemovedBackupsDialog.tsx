import type { RemovedRoomBackup } from '@roomkeeper/contract'
import { IconArchive } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { apiQuery, loadStateOf } from '#api/queries.ts'
import { Dialog } from '#ui/dialog/Dialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { formatDate } from '#ui/format.ts'
import type { Column } from '#ui/table/column.ts'
import { pagesOf } from '#ui/table/paging.ts'
import { BackupsTable } from './BackupsTable.tsx'

const removedSize = 20
const ofRemovedRooms = 'of removed rooms'

/** The backups of rooms that were removed with their region. They are kept until an operator deletes them here. */
export function RemovedBackupsDialog() {
  const { t } = useTranslation('backups')
  return (
    <Dialog title={t('removed.title')} width="widest">
      <RemovedBackups />
    </Dialog>
  )
}

function RemovedBackups() {
  const { t } = useTranslation('backups')
  const [page, setPage] = useState(1)
  const query = useQuery(removedBackupsQuery(page - 1))
  const { data } = query
  // A test of one of them has begun or ended.
  useRefetchOnEvents(
    ['rooms', 'backups', ofRemovedRooms],
    (event) =>
      event.type === 'operation' && data?.data.some(({ projectRoomName }) => projectRoomName === event.room) === true,
  )
  // The last backup of the last page may have been deleted.
  if (data?.data.length === 0 && data.totalElements > 0 && page > data.totalPages) setPage(data.totalPages)
  const lead: Column<RemovedRoomBackup>[] = [
    { id: 'room', title: t('removed.room'), cell: (backup) => <Room backup={backup} /> },
    { id: 'region', title: t('removed.region'), cell: (backup) => <Region backup={backup} /> },
  ]
  return (
    <>
      {data !== undefined && data.totalElements > 0 && <p>{t('removed.hint')}</p>}
      <BackupsTable
        label={t('removed.title')}
        backups={data?.data}
        lead={lead}
        load={loadStateOf(query, t('loadFailed'))}
        empty={<EmptyState icon={IconArchive} title={t('removed.none')} text={t('removed.hint')} />}
        pages={pagesOf(data, { page, size: removedSize, onPage: setPage })}
      />
    </>
  )
}

function Room({ backup: { projectRoomName, databaseName } }: { backup: RemovedRoomBackup }) {
  return (
    <>
      {projectRoomName}
      {databaseName !== null && <div>{databaseName}</div>}
    </>
  )
}

function Region({ backup: { regionName, removedAt } }: { backup: RemovedRoomBackup }) {
  const { t } = useTranslation('backups')
  return (
    <>
      {regionName}
      <div>{t('removed.at', { at: formatDate(removedAt) })}</div>
    </>
  )
}

/** The backups of rooms that were removed with their region. @param page from 0 */
function removedBackupsQuery(page: number) {
  const query = { page, size: removedSize }
  return {
    ...apiQuery(['rooms', 'backups', ofRemovedRooms, page], 'removedRoomBackups', { query }, { background: 'refetch' }),
    placeholderData: keepPreviousData,
  }
}
