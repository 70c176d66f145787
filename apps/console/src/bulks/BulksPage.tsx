import { type Bulk, bulkActions } from '@roomkeeper/contract'
import { IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { loadStateOf } from '#api/queries.ts'
import { formatMoment, useNumberFormat } from '#ui/format.ts'
import { ListPage, PagedTable } from '#ui/ListPage.tsx'
import type { Column } from '#ui/table/column.ts'
import { usePagedSearch } from '#ui/use-paged-search.ts'
import { useTitleOfBulk } from './BulkProgress.tsx'
import { BulkStatePill, stateShown } from './BulkState.tsx'
import { bulksQuery } from './queries.ts'

/** The bulks of the last 90 days, newest first. */
export function BulksPage() {
  const { t } = useTranslation('bulks')
  const number = useNumberFormat()
  const titleOf = useTitleOfBulk()
  const list = usePagedSearch('/project/_signed-in/bulk/', { name: 'bulks', filters: ['action'] })
  const query = useQuery(bulksQuery({ ...list.wanted, action: list.search.action }))
  useRefetchOnEvents(['bulks', 'all'], ({ type }) => type === 'bulk')
  const columns: Column<Bulk>[] = [
    {
      id: 'action',
      title: t('columns.action'),
      isName: true,
      size: { share: 1, atLeast: 200 },
      cell: (bulk) => (
        <Link to="/project/bulk/$id" params={{ id: bulk.id }}>
          {titleOf(bulk)}
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
      size: 184,
      cell: ({ endedAt }) => endedAt !== null && <time dateTime={endedAt}>{formatMoment(endedAt)}</time>,
    },
  ]
  return (
    <ListPage title={t('title')} onRefresh={query.refetch}>
      <PagedTable
        label={t('title')}
        list={list}
        found={query.data}
        columns={columns}
        rowId={({ id }) => id}
        load={loadStateOf(query, t('failed'))}
        filter={{
          choice: {
            label: t('columns.action'),
            width: 260,
            all: t('allActions'),
            values: bulkActions,
            labelOf: (action) => t(`actions.${action}.title`),
            chosen: list.search.action,
            onChoose: (action) => list.change({ action }),
          },
        }}
        noMatch={{ title: t('noMatch'), text: t('noBulkMatches') }}
        none={{ icon: IconStack2, title: t('none'), text: t('noneText') }}
      />
    </ListPage>
  )
}
