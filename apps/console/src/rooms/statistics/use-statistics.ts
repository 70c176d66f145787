import { type RoomPages, useRoomPages } from '../list/use-room-list.ts'
import { statisticsQuery } from './queries.ts'
import {
  type ChangeStatistics,
  type ColumnFilters,
  isFiltered,
  type StatisticsSearch,
  withoutFilter,
} from './search.ts'

export interface Statistics extends RoomPages {
  isFiltered: boolean
  /** `find` and `filter` lead back to the first page. */
  find: (change: Pick<StatisticsSearch, 'q' | 'in'>) => void
  filter: (change: ColumnFilters) => void
  resetFilter: () => void
}

/** The rooms that the URL asks for, kept live, and functions that change the URL. */
export function useStatistics(search: StatisticsSearch, onSearch: ChangeStatistics): Statistics {
  const pages = useRoomPages({ table: 'statistics', search, onSearch, queryOf: statisticsQuery })
  return {
    ...pages,
    isFiltered: isFiltered(search),
    find: (change) => {
      // Further typing adds no entry to the browser's history.
      const replace = 'q' in change && search.q !== undefined
      onSearch({ ...search, ...change, page: undefined }, { replace })
    },
    filter: (change) => onSearch({ ...search, ...change, page: undefined }),
    resetFilter: () => onSearch(withoutFilter(search)),
  }
}
