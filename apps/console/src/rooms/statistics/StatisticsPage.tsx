import { NativeSelect } from '@mantine/core'
import { IconChartBar, IconFilterOff, IconRefresh } from '@tabler/icons-react'
import { Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Boundary } from '#ui/Boundary.tsx'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { onDemand } from '#ui/on-demand.tsx'
import { BackButton, Page } from '#ui/Page.tsx'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import { SearchField } from '#ui/table/SearchField.tsx'
import { usePageKeys } from '#ui/table/use-page-keys.ts'
import { useWayToRows } from '#ui/table/use-way-to-rows.ts'
import toolbar from '../list/RoomsToolbar.module.css'
import { scopes } from '../list/search.ts'
import classes from './StatisticsPage.module.css'
import { StatisticsTable } from './StatisticsTable.tsx'
import { StatisticsTotals } from './StatisticsTotals.tsx'
import type { StatisticsSearch } from './search.ts'
import { type ChangeStatistics, useStatistics } from './use-statistics.ts'

const StatisticsCharts = onDemand(async () => ({ default: (await import('./StatisticsCharts.tsx')).StatisticsCharts }))

interface StatisticsPageProps {
  search: StatisticsSearch
  onSearch: ChangeStatistics
  onBack: () => void
}

/** Totals, table and charts of the rooms that match the filter. */
export function StatisticsPage({ search, onSearch, onBack }: StatisticsPageProps) {
  const { t } = useTranslation(['statistics', 'app'])
  const statistics = useStatistics(search, onSearch)
  usePageKeys({ pages: statistics.pages })
  if (statistics.isFirstLoad) return <FullScreenSpinner />
  const showsCharts = search.charts !== 'off'
  const toggleCharts = () => onSearch({ ...search, charts: showsCharts ? 'off' : undefined }, { replace: true })
  return (
    <Page
      title={t('title')}
      before={<BackButton onClick={onBack} />}
      actions={
        <>
          <ToolbarButton icon={IconRefresh} onClick={statistics.refetch}>
            {t('refresh')}
          </ToolbarButton>
          <ToolbarButton icon={IconFilterOff} onClick={statistics.resetFilter}>
            {t('resetFilter')}
          </ToolbarButton>
          <ToolbarButton icon={IconChartBar} onClick={toggleCharts}>
            {t(showsCharts ? 'hideCharts' : 'showCharts')}
          </ToolbarButton>
        </>
      }
    >
      {statistics.answer !== undefined && <StatisticsTotals answer={statistics.answer} search={search} />}
      <StatisticsSearchBar search={search} isOutdated={statistics.isOutdated} onFind={statistics.find} />
      <div className={classes.parts}>
        <div className={classes.table}>
          <StatisticsTable search={search} statistics={statistics} />
        </div>
        {showsCharts && (
          <div className={classes.charts}>
            <Boundary
              fallback={(again) => (
                <LoadFailure title={t('app:error.part.title')} text={t('app:error.part.text')} onAgain={again} />
              )}
            >
              <Suspense>
                <StatisticsCharts search={search} />
              </Suspense>
            </Boundary>
          </div>
        )}
      </div>
    </Page>
  )
}

interface StatisticsSearchBarProps {
  search: StatisticsSearch
  isOutdated: boolean
  onFind: (change: Pick<StatisticsSearch, 'q' | 'in'>) => void
}

/** The search text and the searched fields. */
function StatisticsSearchBar({ search, isOutdated, onFind }: StatisticsSearchBarProps) {
  const { t } = useTranslation('rooms')
  const searchRef = useRef<HTMLInputElement>(null)
  const goToRows = useWayToRows({ searchRef, text: search.q ?? '', isOutdated })
  return (
    <search className={toolbar.root}>
      <SearchField
        inputRef={searchRef}
        label={t('search.label')}
        clearLabel={t('search.clear')}
        text={search.q ?? ''}
        onText={(q) => onFind({ q: q === '' ? undefined : q })}
        onLeave={goToRows}
      />
      <NativeSelect
        size="xs"
        className={toolbar.scope ?? ''}
        aria-label={t('search.in')}
        value={search.in ?? 'all'}
        data={scopes.map((scope) => ({ value: scope, label: t(`search.scopes.${scope}`) }))}
        onChange={({ currentTarget: { value } }) => onFind({ in: scopes.find((each) => each === value) })}
      />
    </search>
  )
}
