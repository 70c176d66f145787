import { createFileRoute } from '@tanstack/react-router'
import { useCallback } from 'react'
import { withoutCloudParam } from '#app/cloud-tabs.ts'
import { StatisticsPage } from '#rooms/statistics/StatisticsPage.tsx'
import { type ChangeStatistics, parseStatisticsSearch, type StatisticsSearch } from '#rooms/statistics/search.ts'

export const Route = createFileRoute('/project/_signed-in/statistics')({
  validateSearch: parseStatisticsSearch,
  component: StatisticsScreen,
})

function StatisticsScreen() {
  const search = Route.useSearch({ select: withoutCloudParam<StatisticsSearch>, structuralSharing: true })
  const navigate = Route.useNavigate()
  const changeSearch = useCallback<ChangeStatistics>(
    (to, how) => void navigate({ search: to, replace: how?.replace ?? false }),
    [navigate],
  )
  return <StatisticsPage search={search} onSearch={changeSearch} />
}
