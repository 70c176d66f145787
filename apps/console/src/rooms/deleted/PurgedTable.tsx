import type { PurgedRoom } from '@roomkeeper/contract'
import { IconCertificate } from '@tabler/icons-react'
import { keepPreviousData, useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { apiQuery, loadStateOf } from '#api/queries.ts'
import { IconAction } from '#ui/ActionButtons.tsx'
import { formatMoment } from '#ui/format.ts'
import { PagedTable } from '#ui/ListPage.tsx'
import { saveAs } from '#ui/save-as.ts'
import type { Column } from '#ui/table/column.ts'
import type { DeletedTableProps, WantedRooms } from './DeletedTable.tsx'

/** A page of rooms that have left only a certificate. */
export function purgedRoomsQuery(query: WantedRooms) {
  return {
    ...apiQuery(['deleted-rooms', 'purged', query], 'purgedRooms', { query }, { background: 'always' }),
    placeholderData: keepPreviousData,
  }
}

/** The rooms that have left only a certificate, the latest purge first. */
export function PurgedTable({ query, list }: DeletedTableProps<PurgedRoom>) {
  const { t } = useTranslation('deleted')
  return (
    <PagedTable
      label={t('purged')}
      list={list}
      found={query.data}
      remembered="purged-rooms"
      columns={useColumns()}
      rowId={({ id }) => id}
      load={loadStateOf(query, t('failedPurged'))}
      none={{ icon: IconCertificate, title: t('nonePurged'), text: t('nonePurgedText') }}
      noMatch={{ title: t('noMatch'), text: t('noMatchPurged') }}
    />
  )
}

function useColumns(): Column<PurgedRoom>[] {
  const { t } = useTranslation('deleted')
  return [
    {
      id: 'name',
      title: t('columns.name'),
      isName: true,
      size: { share: 1, atLeast: 160 },
      cell: ({ projectRoomName }) => projectRoomName,
    },
    {
      id: 'company',
      title: t('columns.company'),
      isOnCard: true,
      size: { share: 1, atLeast: 140 },
      cell: ({ companyName }) => companyName,
    },
    {
      id: 'purgedAt',
      title: t('columns.purgedAt'),
      text: 'whole',
      isOnCard: true,
      size: 160,
      cell: ({ purgedAt }) => <time dateTime={purgedAt}>{formatMoment(purgedAt)}</time>,
    },
    {
      id: 'purgedBy',
      title: t('columns.purgedBy'),
      size: { share: 1, atLeast: 120 },
      cell: ({ purgedBy }) => purgedBy,
    },
    {
      id: 'actions',
      title: t('columns.actions'),
      isActions: true,
      size: 84,
      cell: (room) => <Certificate room={room} />,
    },
  ]
}

function Certificate({ room: { id, projectRoomName: name } }: { room: PurgedRoom }) {
  const { t } = useTranslation('deleted')
  const { mutate, isPending } = useMutation({
    // As it was sent: its seal vouches for what it says to the letter.
    mutationFn: async () => (await client.open('purgeCertificate', { params: { id } })).blob(),
    onSuccess: (document) => saveAs(document, `purge-of-${name}.json`),
    meta: { failed: t('certificate.failed') },
  })
  return (
    <IconAction
      label={t('certificate.label', { name })}
      icon={IconCertificate}
      isBusy={isPending}
      onClick={() => mutate()}
    />
  )
}
