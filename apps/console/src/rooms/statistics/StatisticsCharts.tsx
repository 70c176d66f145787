import { useThrottledCallback } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLiveEvents, usePollInterval } from '#api/events.ts'
import { textOf } from '#api/text-of-error.ts'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import { useRoomLabels } from '../room-labels.ts'
import { ChartCard } from './ChartCard.tsx'
import { chartsOf } from './charts.ts'
import { roomStatisticsQuery } from './queries.ts'
import classes from './StatisticsCharts.module.css'
import type { StatisticsSearch } from './search.ts'

const refetchMilliseconds = 10_000

/** The rooms that the filter lets through, counted by what they are, and their licences. */
export function StatisticsCharts({ search }: { search: StatisticsSearch }) {
  const { t } = useTranslation(['statistics', 'rooms'])
  const labels = useRoomLabels()
  const { data, error, isPlaceholderData, refetch } = useLiveStatistics(search)
  if (data === undefined) {
    if (error === null) return <section className={classes.root} aria-busy="true" aria-label={t('charts.title')} />
    return (
      <section className={classes.root} aria-label={t('charts.title')}>
        <LoadFailure title={t('charts.failed')} text={textOf(error)} onAgain={() => void refetch()} />
      </section>
    )
  }
  const names = { ...labels, licence: (key: keyof typeof data.licenses) => t(`rooms:totals.${key}`) }
  return (
    <section className={classes.root} aria-label={t('charts.title')} data-outdated={isPlaceholderData || undefined}>
      {chartsOf(data, names).map((chart) => (
        <ChartCard key={chart.id} chart={chart} />
      ))}
    </section>
  )
}

function useLiveStatistics(search: StatisticsSearch) {
  const queryClient = useQueryClient()
  const refetchInterval = usePollInterval()
  const query = roomStatisticsQuery(search)
  const refetchSoon = useThrottledCallback(() => void queryClient.invalidateQueries(query), refetchMilliseconds)
  useLiveEvents((event) => {
    if (event.type === 'room' || event.type === 'reset') refetchSoon()
  })
  return useQuery({ ...query, placeholderData: keepPreviousData, refetchInterval })
}
