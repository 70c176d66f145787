import type { ProjectRoom } from '@roomkeeper/contract'
import { IconDoor, IconSearchOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#ui/EmptyState.tsx'
import type { Size } from '#ui/table/column.ts'
import { Table } from '#ui/table/Table.tsx'
import type { Column } from '../list/search.ts'
import { useRoomsLoad } from '../list/use-room-pages.ts'
import { roomColumns } from '../room-columns.tsx'
import { useRoomLabels } from '../room-labels.ts'
import type { StatisticsSearch } from './search.ts'
import { useColumnFilters } from './use-column-filters.tsx'
import type { Statistics } from './use-statistics.ts'

interface StatisticsTableProps {
  search: StatisticsSearch
  statistics: Statistics
}

/** Wide enough for the words of their filters. */
const sizes: Partial<Record<Column, Size>> = { product: 124, productType: 118, state: 118 }

export function StatisticsTable({ search, statistics }: StatisticsTableProps) {
  const { t } = useTranslation(['statistics', 'rooms'])
  const labels = useRoomLabels()
  const columns = useMemo(
    () =>
      roomColumns(labels, (id) => t(`columns.${id}`)).map((column) => ({
        ...column,
        isSortable: true,
        size: sizes[column.id] ?? column.size ?? 0,
        cell: column.id === 'tenantName' ? linked : column.cell,
      })),
    [t, labels],
  )
  return (
    <Table
      label={t('title')}
      look="page"
      keepsPager
      columns={columns}
      filters={useColumnFilters(search, labels, statistics.filter)}
      rows={statistics.answer?.data}
      rowId={nameOf}
      reusesRows
      hasFocusableRows
      sort={statistics.sort}
      onSort={statistics.onSort}
      load={useRoomsLoad(statistics, t('empty.failed'))}
      isWaiting={statistics.isWaiting}
      // The way back is Reset filter above the table.
      empty={
        statistics.isFiltered ? (
          <EmptyState icon={IconSearchOff} title={t('rooms:empty.noMatch')} text={t('rooms:empty.noMatchText')} />
        ) : (
          <EmptyState icon={IconDoor} title={t('empty.nothing')} text={t('empty.nothingText')} />
        )
      }
      pages={statistics.pages}
    />
  )
}

const nameOf = ({ tenantName }: ProjectRoom) => tenantName

const linked = ({ tenantName }: ProjectRoom) => (
  <Link to="/project/edit_project_room/$id" params={{ id: tenantName }} preload={false}>
    {tenantName}
  </Link>
)
