import { Box, Group, Title } from '@mantine/core'
import { IconChartBar, IconDownload, IconTable } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePollInterval } from '#api/events.ts'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { apiQuery } from '#api/queries.ts'
import { textOf } from '#locales/error-texts.ts'
import { IconAction } from '#ui/ActionButtons.tsx'
import { CsvFormatMenu } from '#ui/CsvFormatMenu.tsx'
import { chosenCsvFormat } from '#ui/csv-format.ts'
import { useMonthFormat, useNumberFormat } from '#ui/format.ts'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import { csvOf, saveAs } from '#ui/save-as.ts'
import { Table } from '#ui/table/Table.tsx'
import type { RoomsSearch } from '../list/search.ts'
import { useRoomWords } from '../room-words.tsx'
import { Bars, type Chart, chartsOf, Timeline } from './charts.tsx'
import { chartsQuery } from './queries.ts'
import classes from './Statistics.module.css'
import { listSearchOf, type StatisticsSearch } from './search.ts'

const refetchMilliseconds = 10_000

/** The rooms that match the filter, counted by several properties, and their licences. */
export function StatisticsCharts({ search }: { search: StatisticsSearch }) {
  const { t } = useTranslation(['statistics', 'rooms'])
  const words = useRoomWords()
  const month = useMonthFormat()
  const { data, error, isPlaceholderData, refetch } = useLiveStatistics(search)
  if (data === undefined) {
    if (error === null) return <section className={classes.cards} aria-busy="true" aria-label={t('charts.title')} />
    return (
      <section className={classes.cards} aria-label={t('charts.title')}>
        <LoadFailure title={t('charts.failed')} text={textOf(error)} onAgain={() => void refetch()} />
      </section>
    )
  }
  const names = {
    ...words,
    licence: (key: keyof typeof data.licenses) => t(`rooms:totals.${key}`),
    days: (count: number) => t('charts.withoutBackup.days', { count }),
    month,
  }
  return (
    <section className={`${classes.cards} ${isPlaceholderData ? 'rk-outdated' : ''}`} aria-label={t('charts.title')}>
      {chartsOf(data, names).map((chart) => (
        <ChartCard key={chart.id} chart={chart} search={search} />
      ))}
    </section>
  )
}

function useLiveStatistics(search: StatisticsSearch) {
  const refetchInterval = usePollInterval()
  const query = roomStatisticsQuery(search)
  useRefetchOnEvents(query.queryKey, ({ type }) => type === 'room' || type === 'region', refetchMilliseconds)
  return useQuery({ ...query, placeholderData: keepPreviousData, refetchInterval })
}

interface ChartCardProps {
  chart: Chart
  search: StatisticsSearch
}

/** A chart whose numbers can also be read as a table, and saved. */
function ChartCard({ chart, search }: ChartCardProps) {
  const { t } = useTranslation('statistics')
  const [showsTable, setShowsTable] = useState(false)
  const title = t(`charts.${chart.id}.title`)
  const heads = [t(`charts.${chart.id}.name`), t(`charts.${chart.id}.count`)] as const
  const save = () => {
    const csv = csvOf([heads, ...chart.bars.map(({ label, count }) => [label, count])], chosenCsvFormat())
    saveAs(new Blob([csv], { type: 'text/csv;charset=utf-8' }), `${chart.id}_${new Date().toISOString()}.csv`)
  }
  return (
    <Box component="section" className={`rk-panel ${classes.card}`} px="sm" pt="xs" pb="sm" aria-label={title}>
      <Group wrap="nowrap" gap="3xs" mih={32} mb="2xs">
        <Title order={2} className="rk-grow" fz="var(--rk-text-dense)">
          {title}
        </Title>
        <IconAction
          label={t(showsTable ? 'charts.asChart' : 'charts.asTable', { title })}
          icon={showsTable ? IconChartBar : IconTable}
          onClick={() => setShowsTable(!showsTable)}
        />
        <IconAction label={t('charts.export', { title })} icon={IconDownload} onClick={save} />
        <CsvFormatMenu what={title} onExport={save} />
      </Group>
      {showsTable ? (
        <Numbers chart={chart} heads={heads} title={title} />
      ) : (
        <Drawing chart={chart} title={title} all={listSearchOf(search)} onMore={() => setShowsTable(true)} />
      )}
    </Box>
  )
}

interface DrawingProps {
  chart: Chart
  title: string
  all: RoomsSearch
  onMore: () => void
}

function Drawing({ chart: { bars, isTimeline }, onMore, ...drawn }: DrawingProps) {
  const { t } = useTranslation('statistics')
  if (bars.length === 0) return <p className="rk-text rk-dimmed">{t('charts.none')}</p>
  return isTimeline ? <Timeline bars={bars} {...drawn} /> : <Bars bars={bars} onMore={onMore} {...drawn} />
}

function Numbers({ chart, heads, title }: { chart: Chart; heads: readonly [string, string]; title: string }) {
  const number = useNumberFormat()
  return (
    <Box className={classes.numbers} tabIndex={0}>
      <Table
        label={title}
        isDense
        rows={chart.bars}
        rowId={({ label }) => label}
        columns={[
          { id: 'label', title: heads[0], isName: true, cell: ({ label }) => label },
          { id: 'count', title: heads[1], align: 'end', text: 'whole', cell: ({ count }) => number.format(count) },
        ]}
      />
    </Box>
  )
}

/** The counts that the charts show; fetched again in the background while rooms change. */
function roomStatisticsQuery(search: StatisticsSearch) {
  const query = chartsQuery(search)
  return apiQuery(['rooms', 'statistics', query], 'roomStatistics', { query }, { background: 'refetch' })
}
