import { IconChartBar, IconFilterOff } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorBoundary } from '#ui/ErrorBoundary.tsx'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { ListPage } from '#ui/ListPage.tsx'
import { onDemand } from '#ui/on-demand.tsx'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import { usePageKeys } from '#ui/table/use-page-keys.tsx'
import { ScopedSearch } from '../list/ScopedSearch.tsx'
import classes from './Statistics.module.css'
import { StatisticsTable } from './StatisticsTable.tsx'
import { StatisticsTotals } from './StatisticsTotals.tsx'
import type { ChangeStatistics, StatisticsSearch } from './search.ts'
import { useStatistics } from './use-statistics.ts'

const StatisticsCharts = onDemand(() => import('./StatisticsCharts.tsx'), 'StatisticsCharts')

interface StatisticsPageProps {
  search: StatisticsSearch
  onSearch: ChangeStatistics
}

/** Totals, charts and table of the rooms that match the filter. */
export function StatisticsPage({ search, onSearch }: StatisticsPageProps) {
  const { t } = useTranslation(['statistics', 'app'])
  const statistics = useStatistics(search, onSearch)
  usePageKeys({ pages: statistics.pages })
  if (statistics.isFirstLoad) return <FullScreenSpinner />
  const showsCharts = search.charts !== 'off'
  const toggleCharts = () => onSearch({ ...search, charts: showsCharts ? 'off' : undefined }, { replace: true })
  return (
    <ListPage
      title={t('title')}
      onRefresh={statistics.refetch}
      actions={
        <>
          <ToolbarButton icon={IconFilterOff} onClick={statistics.resetFilter}>
            {t('app:resetFilter')}
          </ToolbarButton>
          <ToolbarButton icon={IconChartBar} onClick={toggleCharts}>
            {t(showsCharts ? 'hideCharts' : 'showCharts')}
          </ToolbarButton>
        </>
      }
    >
      {statistics.answer !== undefined && <StatisticsTotals answer={statistics.answer} search={search} />}
      <ScopedSearch search={search} isOutdated={statistics.isOutdated} onFind={statistics.find} />
      {showsCharts && (
        <div className={classes.charts}>
          <ErrorBoundary
            fallback={(again) => (
              <LoadFailure title={t('app:error.part.title')} text={t('app:error.part.text')} onAgain={again} />
            )}
          >
            <Suspense>
              <StatisticsCharts search={search} />
            </Suspense>
          </ErrorBoundary>
        </div>
      )}
      <div className={classes.table}>
        <StatisticsTable search={search} statistics={statistics} />
      </div>
    </ListPage>
  )
}
