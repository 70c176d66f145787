import { NativeSelect } from '@mantine/core'
import { editions, type ProjectRoom, products, salesChannels } from '@roomkeeper/contract'
import { IconDoor, IconSearchOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import type { Size } from '#ui/table/column.ts'
import { Table } from '#ui/table/Table.tsx'
import type { OwnColumn, RoomColumn } from '../list/search.ts'
import { useRoomsLoad } from '../list/use-room-list.ts'
import { roomColumns } from '../room-columns.tsx'
import { type RoomWords, useRoomWords } from '../room-words.tsx'
import { type ColumnFilters, type StatisticsSearch, statuses } from './search.ts'
import type { Statistics } from './use-statistics.ts'

interface StatisticsTableProps {
  search: StatisticsSearch
  statistics: Statistics
}

/** These columns are wide enough for the options of their filters. */
const sizes: Partial<Record<RoomColumn, Size>> = { product: 124, productType: 118, state: 118 }

export function StatisticsTable({ search, statistics }: StatisticsTableProps) {
  const { t } = useTranslation(['statistics', 'rooms'])
  const words = useRoomWords()
  const columns = useMemo(
    () =>
      roomColumns(words, (id) => t(`columns.${id}`))
        .filter(({ id }) => id !== 'companyName')
        .map((column) => ({
          ...column,
          isSortable: true,
          size: sizes[column.id] ?? column.size ?? 0,
          cell: column.id === 'tenantName' ? linked : column.cell,
        })),
    [t, words],
  )
  return (
    <Table
      label={t('title')}
      layout="page"
      keepsPager={statistics.isFiltered}
      columns={columns}
      filters={useColumnFilters(search, words, statistics.filter)}
      rows={statistics.answer?.data}
      rowId={nameOf}
      reusesRows
      orderKey={statistics.query}
      hasFocusableRows
      sort={statistics.sort}
      onSort={statistics.onSort}
      load={useRoomsLoad(statistics, t('empty.failed'))}
      isWaiting={statistics.isWaiting}
      // No button to reset: Reset filter is above the table.
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

interface Dropdown {
  chosen: string | undefined
  options: readonly { value: string; label: string }[]
  /** Called with '' for all. */
  choose: (value: string) => void
}

/** The filters below the titles of the columns. */
function useColumnFilters(
  filters: ColumnFilters,
  words: RoomWords,
  onFilter: (change: ColumnFilters) => void,
): Partial<Record<RoomColumn, ReactNode>> {
  const { t } = useTranslation('statistics')
  const { data: regions = [] } = useQuery(regionsQuery)
  const dropdown = (column: OwnColumn, { chosen, options, choose }: Dropdown) => (
    <NativeSelect
      size="xs"
      aria-label={t('filterBy', { column: t(`columns.${column}`) })}
      data-active={chosen !== undefined || undefined}
      value={chosen ?? ''}
      data={[{ value: '', label: t('all') }, ...options]}
      onChange={({ currentTarget: { value } }) => choose(value)}
    />
  )
  return {
    product: dropdown('product', {
      chosen: filters.product,
      options: products.map((each) => ({ value: each, label: words.product[each] })),
      choose: (value) => onFilter({ product: products.find((each) => each === value) }),
    }),
    edition: dropdown('edition', {
      chosen: filters.edition,
      options: editions.map((each) => ({ value: each, label: words.edition[each] })),
      choose: (value) => onFilter({ edition: editions.find((each) => each === value) }),
    }),
    productType: dropdown('productType', {
      chosen: filters.channel,
      options: salesChannels.map((each) => ({ value: each, label: words.channel[each] })),
      choose: (value) => onFilter({ channel: salesChannels.find((each) => each === value) }),
    }),
    regionName: dropdown('regionName', {
      chosen: filters.region === undefined ? undefined : String(filters.region),
      options: regions.map(({ regionId, regionName }) => ({ value: String(regionId), label: regionName })),
      choose: (value) => onFilter({ region: value === '' ? undefined : Number(value) }),
    }),
    state: dropdown('state', {
      chosen: filters.status,
      options: statuses.map((each) => ({ value: each, label: t(`statuses.${each}`) })),
      choose: (value) => onFilter({ status: statuses.find((each) => each === value) }),
    }),
  }
}
