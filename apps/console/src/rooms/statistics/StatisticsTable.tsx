import type { ProjectRoom } from '@roomkeeper/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { SortHeader } from '#ui/table/SortHeader.tsx'
import { TipLayer } from '#ui/table/TipLayer.tsx'
import { useRowSlots } from '#ui/table/use-row-slots.ts'
import { type Column, columns } from '../list/search.ts'
import { useRoomLabels } from '../room-labels.ts'
import { FilterRow } from './FilterRow.tsx'
import { StatisticsRow } from './StatisticsRow.tsx'
import classes from './StatisticsTable.module.css'
import type { ColumnFilters } from './search.ts'

interface StatisticsTableProps {
  rooms: readonly ProjectRoom[]
  filters: ColumnFilters
  sort: { column: Column; dir: 'asc' | 'desc' }
  /** Other rows are on their way; these stay until then, dimmed. */
  isOutdated: boolean
  onFilter: (change: ColumnFilters) => void
  onSort: (column: Column, dir: 'asc' | 'desc') => void
}

export function StatisticsTable({ rooms, filters, sort, isOutdated, onFilter, onSort }: StatisticsTableProps) {
  const { t } = useTranslation('statistics')
  const labels = useRoomLabels()
  const names = useMemo(() => rooms.map((room) => room.tenantName), [rooms])
  const slots = useRowSlots(names)
  return (
    <TipLayer className={classes.scroll}>
      <table
        className={classes.table}
        aria-label={t('title')}
        aria-busy={isOutdated}
        data-outdated={isOutdated || undefined}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <SortHeader
                key={column}
                label={t(`columns.${column}`)}
                dir={sort.column === column ? sort.dir : null}
                onSort={(dir) => onSort(column, dir)}
              />
            ))}
          </tr>
          <FilterRow filters={filters} labels={labels} onFilter={onFilter} />
        </thead>
        <tbody>
          {rooms.map((room) => (
            <StatisticsRow key={slots.get(room.tenantName)} room={room} labels={labels} />
          ))}
        </tbody>
      </table>
    </TipLayer>
  )
}
