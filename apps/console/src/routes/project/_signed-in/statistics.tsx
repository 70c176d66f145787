import { createFileRoute } from '@tanstack/react-router'
import { useCallback } from 'react'
import { ofPage } from '#app/cloud-tabs.ts'
import {
  type ChangeStatistics,
  lastRoomsSearch,
  parseStatisticsSearch,
  StatisticsPage,
  type StatisticsSearch,
} from '#rooms/index.ts'

export const Route = createFileRoute('/project/_signed-in/statistics')({
  validateSearch: (given): StatisticsSearch => parseStatisticsSearch(given),
  component: StatisticsScreen,
})

function StatisticsScreen() {
  const search = Route.useSearch({ select: ofPage<StatisticsSearch>, structuralSharing: true })
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
    />
  )
}
