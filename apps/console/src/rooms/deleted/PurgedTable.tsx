import type { PurgedRoom } from '@roomkeeper/contract'
import { IconCertificate } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { loadStateOf } from '#api/queries.ts'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { IconAction } from '#ui/ActionButtons.tsx'
import { EmptyState, NoMatch } from '#ui/EmptyState.tsx'
import { formatMoment } from '#ui/format.ts'
import { saveAs } from '#ui/save-as.ts'
import type { Column } from '#ui/table/column.ts'
import { pagesOfSearch } from '#ui/table/Pager.tsx'
import { Table } from '#ui/table/Table.tsx'
import { usePageKeys } from '#ui/table/use-page-keys.ts'
import { toastError } from '#ui/toast.ts'
import { pageSizes } from '#ui/url-search.ts'
import type { DeletedTableProps } from './DeletedTable.tsx'
import { tableId } from './deleted-search.ts'

/** The rooms that have left only a certificate, the latest purge first. */
export function PurgedTable({ query, search, size, onSearch }: DeletedTableProps<PurgedRoom>) {
  const { t } = useTranslation('deleted')
  const pages = pagesOfSearch(query.data, { table: tableId, search, onSearch, size, sizes: pageSizes })
  usePageKeys({ pages })
  const noMatch = { title: t('noMatch'), text: t('noMatchPurged'), reset: t('reset') }
  return (
    <Table
      label={t('purged')}
      layout="page"
      remembered="purged-rooms"
      hasFocusableRows
      columns={useColumns()}
      rows={query.data?.data}
      rowId={({ id }) => id}
      heldFor={search}
      expectedRows={8}
      load={loadStateOf(query, t('failedPurged'))}
      empty={
        search.search === undefined ? (
          <EmptyState icon={IconCertificate} title={t('nonePurged')} text={t('nonePurgedText')} />
        ) : (
          <NoMatch {...noMatch} onReset={() => onSearch({ size: search.size, purged: true })} />
        )
      }
      pages={pages}
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
    onError: (error) => {
      if (!isSessionEnd(error)) toastError(t('certificate.failed'), textOf(error))
    },
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
