import { createFileRoute } from '@tanstack/react-router'
import { useCallback } from 'react'
import { lastRoomsSearch } from '#rooms/list/last-rooms-search.ts'
import { StatisticsPage } from '#rooms/statistics/StatisticsPage.tsx'
import { parseStatisticsSearch, type StatisticsSearch } from '#rooms/statistics/search.ts'
import type { ChangeStatistics } from '#rooms/statistics/use-statistics.ts'

export const Route = createFileRoute('/project/_signed-in/statistics')({
  validateSearch: (given): StatisticsSearch => parseStatisticsSearch(given),
  component: StatisticsScreen,
})

function StatisticsScreen() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const changeSearch = useCallback<ChangeStatistics>(
    (to, how) => void navigate({ search: to, replace: how?.replace ?? false }),
    [navigate],
  )
  return (
    <StatisticsPage
      search={search}
      onSearch={changeSearch}
      onBack={() => void navigate({ to: '/project/administration', search: lastRoomsSearch() })}
      onOpen={(id) => void navigate({ to: '/project/edit_project_room/$id', params: { id } })}
    />
  )
}
