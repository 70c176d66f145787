import { Button } from '@mantine/core'
import type { RoomList } from '@roomkeeper/contract'
import { IconDoor, IconPlugConnectedX, IconSearchOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Pager } from '#ui/table/Pager.tsx'
import { NotRefreshed } from '../list/NotRefreshed.tsx'
import panel from '../list/RoomsPage.module.css'
import { pageSizes, sortOf } from '../list/search.ts'
import classes from './StatisticsPage.module.css'
import { StatisticsTable } from './StatisticsTable.tsx'
import type { StatisticsSearch } from './search.ts'
import type { Statistics } from './use-statistics.ts'

interface StatisticsPanelProps {
  search: StatisticsSearch
  statistics: Statistics
}

/** The table with what belongs around it: progress, pages, or why there are no rows. */
export function StatisticsPanel({ search, statistics }: StatisticsPanelProps) {
  const { answer, error } = statistics
  return (
    <div className={`${panel.panel} ${classes.table}`}>
      {answer !== undefined && error !== null && <NotRefreshed error={error} onAgain={statistics.refetch} />}
      <div className={panel.bar} data-busy={statistics.isWaiting || undefined} />
      {answer === undefined ? (
        <Failed error={error} onAgain={statistics.refetch} />
      ) : (
        <>
          <StatisticsTable
            rooms={statistics.rooms}
            filters={search}
            sort={sortOf(search)}
            isOutdated={statistics.isOutdated}
            onFilter={statistics.filter}
            onSort={statistics.sort}
          />
          {answer.data.length === 0 && <NoRows isFiltered={statistics.isFiltered} />}
          <Foot answer={answer} statistics={statistics} />
        </>
      )}
    </div>
  )
}

function Foot({ answer, statistics }: { answer: RoomList; statistics: Statistics }) {
  return (
    <footer className={panel.foot}>
      <Pager
        page={statistics.page}
        size={statistics.size}
        sizes={pageSizes}
        totalElements={answer.totalElements}
        totalPages={answer.totalPages}
        onPage={statistics.goTo}
        onSize={statistics.resize}
      />
    </footer>
  )
}

const icon = { size: 36, stroke: 1.3, 'aria-hidden': true } as const

/** The way back is Reset filter above the table. */
function NoRows({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslation(['statistics', 'rooms'])
  if (isFiltered) {
    const text = t('rooms:empty.noMatchText')
    return <EmptyState icon={<IconSearchOff {...icon} />} title={t('rooms:empty.noMatch')} text={text} />
  }
  return <EmptyState icon={<IconDoor {...icon} />} title={t('empty.nothing')} text={t('empty.nothingText')} />
}

function Failed({ error, onAgain }: { error: Error | null; onAgain: () => void }) {
  const { t } = useTranslation(['statistics', 'app'])
  return (
    <EmptyState
      isError
      icon={<IconPlugConnectedX {...icon} />}
      title={t('empty.failed')}
      text={textOf(error)}
      action={<Button onClick={onAgain}>{t('app:tryAgain')}</Button>}
    />
  )
}
