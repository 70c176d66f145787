import type { DeletedRoom } from '@roomkeeper/contract'
import { IconAlertCircle, IconProgress, IconTrash } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadStateOf } from '#api/queries.ts'
import { Verified } from '#backups/index.ts'
import { OperationLog } from '#operations/index.ts'
import { EmptyState, NoMatch } from '#ui/EmptyState.tsx'
import { formatBytes, formatDate, formatMoment } from '#ui/format.ts'
import { Pill } from '#ui/Pill.tsx'
import type { Column } from '#ui/table/column.ts'
import { pagesOfSearch } from '#ui/table/Pager.tsx'
import { Table } from '#ui/table/Table.tsx'
import { usePageKeys } from '#ui/table/use-page-keys.ts'
import { pageSizes } from '#ui/url-search.ts'
import { useRoomLabels } from '../room-labels.tsx'
import { DeletedActions } from './DeletedActions.tsx'
import classes from './DeletedRooms.module.css'
import { type DeletedSearch, tableId } from './deleted-search.ts'

export interface DeletedTableProps<Row> {
  query: UseQueryResult<{ data: Row[]; totalElements: number; totalPages: number }>
  search: DeletedSearch
  size: number
  onSearch: (search: DeletedSearch) => void
}

/** The rooms that can come back, those deleted last first. */
export function DeletedTable({ query, search, size, onSearch }: DeletedTableProps<DeletedRoom>) {
  const { t } = useTranslation('deleted')
  const pages = pagesOfSearch(query.data, { table: tableId, search, onSearch, size, sizes: pageSizes })
  usePageKeys({ pages })
  const noMatch = { title: t('noMatch'), text: t('noMatchText'), reset: t('reset') }
  return (
    <Table
      label={t('title')}
      layout="page"
      remembered="deleted-rooms"
      hasFocusableRows
      columns={useColumns()}
      rows={query.data?.data}
      rowId={({ id }) => id}
      heldFor={search}
      expectedRows={8}
      load={loadStateOf(query, t('failed'))}
      details={({ operationId }) => operationId !== null && <OperationLog operationId={operationId} />}
      empty={
        search.search === undefined ? (
          <EmptyState icon={IconTrash} title={t('none')} text={t('noneText')} />
        ) : (
          <NoMatch {...noMatch} onReset={() => onSearch({ size: search.size })} />
        )
      }
      pages={pages}
    />
  )
}

function useColumns(): Column<DeletedRoom>[] {
  const { t } = useTranslation('deleted')
  const labels = useRoomLabels()
  return [
    {
      id: 'name',
      title: t('columns.name'),
      isName: true,
      size: { share: 13, atLeast: 120 },
      cell: ({ projectRoomName }) => projectRoomName,
    },
    {
      id: 'customer',
      title: t('columns.customer'),
      isOnCard: true,
      size: { share: 16, atLeast: 110 },
      cell: ({ companyName, customerEmail }) => [companyName, customerEmail].filter(Boolean).join(', '),
    },
    {
      id: 'deletedAt',
      title: t('columns.deletedAt'),
      text: 'whole',
      size: 164,
      cell: ({ deletedAt }) => <time dateTime={deletedAt}>{formatMoment(deletedAt)}</time>,
    },
    {
      id: 'keptUntil',
      title: t('columns.keptUntil'),
      text: 'whole',
      isOnCard: true,
      size: 132,
      cell: (room) => <KeptUntil room={room} />,
    },
    {
      id: 'backup',
      title: t('columns.backup'),
      text: 'whole',
      size: 188,
      cell: ({ backup }) => <LastBackup backup={backup} />,
    },
    {
      id: 'product',
      title: t('columns.product'),
      text: 'whole',
      size: 99,
      cell: ({ product }) => labels.product[product] ?? product,
    },
    {
      id: 'edition',
      title: t('columns.edition'),
      size: { share: 8, atLeast: 72 },
      cell: ({ edition }) => labels.edition[edition] ?? edition,
    },
    {
      id: 'deletedBy',
      title: t('columns.deletedBy'),
      size: { share: 10, atLeast: 90 },
      cell: ({ deletedBy }) => deletedBy,
    },
    {
      id: 'actions',
      title: t('columns.actions'),
      isActions: true,
      size: 112,
      cell: (room, details) => <DeletedActions room={room} details={details} />,
    },
  ]
}

function LastBackup({ backup }: Pick<DeletedRoom, 'backup'>) {
  const { t, i18n } = useTranslation('deleted')
  if (backup === null) return t('noBackup')
  return (
    <span className={classes.backup}>
      {formatBytes(backup.size, i18n.language)}
      <Verified {...backup} />
    </span>
  )
}

/** Of a room that comes back or is purged, what is under way. */
function KeptUntil({ room: { state, keptUntil } }: { room: DeletedRoom }) {
  const { t } = useTranslation('deleted')
  if (state === 'KEPT')
    return (
      <time className={classes.until} data-until={t('until')} dateTime={keptUntil}>
        {formatDate(keptUntil)}
      </time>
    )
  const isFailure = state === 'PURGE_FAILED'
  return (
    <Pill tone={isFailure ? 'bad' : 'busy'} icon={isFailure ? IconAlertCircle : IconProgress} isSmall>
      {t(`states.${state}`)}
    </Pill>
  )
}
