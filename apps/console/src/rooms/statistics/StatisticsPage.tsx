import { Button } from '@mantine/core'
import { whyNotOpenEdit } from '@roomkeeper/rules'
import { IconChartBar, IconFilterOff, IconRefresh } from '@tabler/icons-react'
import { lazy, Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { BackButton, Page } from '#ui/Page.tsx'
import { focusedRow, focusRow, useTableKeys } from '#ui/table/use-table-keys.ts'
import classes from './StatisticsPage.module.css'

import { StatisticsSearchBar } from './StatisticsSearchBar.tsx'
import { StatisticsTable } from './StatisticsTable.tsx'
import { StatisticsTotals } from './StatisticsTotals.tsx'
import type { StatisticsSearch } from './search.ts'
import { type ChangeStatistics, useStatistics } from './use-statistics.ts'

const KeysDialog = lazy(async () => ({ default: (await import('../list/KeysDialog.tsx')).KeysDialog }))
const StatisticsCharts = lazy(async () => ({ default: (await import('./StatisticsCharts.tsx')).StatisticsCharts }))

interface StatisticsPageProps {
  search: StatisticsSearch
  onSearch: ChangeStatistics
  onBack: () => void
  /** Opens the edit screen of a room. */
  onOpen: (name: string) => void
}

/** How many rooms and licences there are, and which: totals, table and charts of whatever the filter lets through. */
export function StatisticsPage({ search, onSearch, onBack, onOpen }: StatisticsPageProps) {
  const { t } = useTranslation('statistics')
  const { role } = useOperator()
  const statistics = useStatistics(search, onSearch)
  const searchRef = useRef<HTMLInputElement>(null)
  useTableKeys({
    onSearch: () => searchRef.current?.focus(),
    onMove: focusRow,
    onOpen: () => {
      const room = statistics.rooms.find((each) => each.tenantName === focusedRow())
      if (room === undefined || whyNotOpenEdit(room, role) !== null) return false
      onOpen(room.tenantName)
      return true
    },
    onPage: statistics.turnPage,
    onHelp: showKeys,
  })
  if (statistics.isFirstLoad) return <FullScreenSpinner />
  const showsCharts = search.charts !== 'off'
  const toggleCharts = () => onSearch({ ...search, charts: showsCharts ? 'off' : undefined }, { replace: true })
  return (
    <Page
      title={t('title')}
      before={<BackButton onClick={onBack} />}
      actions={
        <>
          <Action icon={IconRefresh} label={t('refresh')} onClick={statistics.refetch} />
          <Action icon={IconFilterOff} label={t('resetFilter')} onClick={statistics.resetFilter} />
          <Action icon={IconChartBar} label={t(showsCharts ? 'hideCharts' : 'showCharts')} onClick={toggleCharts} />
        </>
      }
    >
      {statistics.answer !== undefined && <StatisticsTotals answer={statistics.answer} />}
      <StatisticsSearchBar search={search} searchRef={searchRef} onFind={statistics.find} />
      <div className={classes.parts}>
        <div className={classes.table}>
          <StatisticsTable search={search} statistics={statistics} />
        </div>
        {showsCharts && (
          <Suspense>
            <StatisticsCharts search={search} />
          </Suspense>
        )}
      </div>
    </Page>
  )
}

function showKeys(): void {
  openDialog(<KeysDialog />)
}

interface ActionProps {
  icon: typeof IconRefresh
  label: string
  onClick: () => void
}

function Action({ icon: Icon, label, onClick }: ActionProps) {
  return (
    <Button size="xs" variant="default" leftSection={<Icon size={16} stroke={1.8} aria-hidden />} onClick={onClick}>
      {label}
    </Button>
  )
}
