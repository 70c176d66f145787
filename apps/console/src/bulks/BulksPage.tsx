import type { Bulk } from '@roomkeeper/contract'
import { IconRefresh, IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { loadStateOf } from '#api/queries.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { formatMoment, useNumberFormat } from '#ui/format.ts'
import { BackButton, Page } from '#ui/Page.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import type { Column } from '#ui/table/column.ts'
import { pagesOfSearch, rememberedPageSize } from '#ui/table/Pager.tsx'
import { Table } from '#ui/table/Table.tsx'
import { usePageKeys } from '#ui/table/use-page-keys.ts'
import { defaultPageSize, pageSizes } from '#ui/url-search.ts'
import { BulkStatePill, stateShown } from './BulkState.tsx'
import type { BulksSearch } from './bulk-search.ts'
import { bulksQuery } from './queries.ts'

const tableId = 'bulks'

interface BulksPageProps {
  search: BulksSearch
  onSearch: (search: BulksSearch) => void
  onBack: () => void
}

/** The bulks of the last 90 days, newest first. */
export function BulksPage({ search, onSearch, onBack }: BulksPageProps) {
  const { t } = useTranslation('bulks')
  const number = useNumberFormat()
  const size = search.size ?? rememberedPageSize(tableId, pageSizes, defaultPageSize)
  const query = useQuery(bulksQuery({ ...search, size }))
  useRefetchOnEvents(['bulks', 'all'], ({ type }) => type === 'bulk')
  const pages = pagesOfSearch(query.data, { table: tableId, search, onSearch, size, sizes: pageSizes })
  usePageKeys({ pages })
  const columns: Column<Bulk>[] = [
    {
      id: 'action',
      title: t('columns.action'),
      isName: true,
      size: { share: 1, atLeast: 200 },
      cell: ({ id, action }) => (
        <Link to="/project/bulk/$id" params={{ id }}>
          {t(`actions.${action}.title`)}
        </Link>
      ),
    },
    {
      id: 'state',
      title: t('columns.state'),
      text: 'whole',
      size: 170,
      cell: (bulk) => <BulkStatePill state={stateShown(bulk)} />,
    },
    {
      id: 'rooms',
      title: t('columns.rooms'),
      text: 'whole',
      align: 'end',
      size: 130,
      cell: ({ counts, total }) => t('doneOf', { n: number.format(counts.DONE), total: number.format(total) }),
    },
    {
      id: 'failed',
      title: t('columns.failed'),
      text: 'whole',
      align: 'end',
      size: 116,
      cell: ({ counts }) => number.format(counts.FAILED),
    },
    {
      id: 'skipped',
      title: t('columns.skipped'),
      text: 'whole',
      align: 'end',
      size: 116,
      cell: ({ counts }) => number.format(counts.SKIPPED),
    },
    {
      id: 'startedBy',
      title: t('columns.startedBy'),
      size: { share: 1, atLeast: 140 },
      cell: ({ startedBy }) => startedBy,
    },
    {
      id: 'startedAt',
      title: t('columns.startedAt'),
      text: 'whole',
      size: 160,
      cell: ({ startedAt }) => <time dateTime={startedAt}>{formatMoment(startedAt)}</time>,
    },
    {
      id: 'endedAt',
      title: t('columns.endedAt'),
      text: 'whole',
      size: 160,
      cell: ({ endedAt }) => endedAt !== null && <time dateTime={endedAt}>{formatMoment(endedAt)}</time>,
    },
  ]
  return (
    <Page
      title={t('title')}
      before={<BackButton onClick={onBack} />}
      actions={
        <ToolbarButton icon={IconRefresh} onClick={() => void query.refetch()}>
          {t('refresh')}
        </ToolbarButton>
      }
    >
      <Table
        label={t('title')}
        layout="page"
        remembered="bulks"
        hasFocusableRows
        columns={columns}
        rows={query.data?.data}
        rowId={({ id }) => id}
        heldFor={search}
        expectedRows={8}
        load={loadStateOf(query, t('failed'))}
        empty={<EmptyState icon={IconStack2} title={t('none')} text={t('noneText')} />}
        pages={pages}
      />
    </Page>
  )
}
