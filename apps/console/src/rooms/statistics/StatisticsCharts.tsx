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
import { useNumberFormat } from '#ui/format.ts'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import { csvOf, saveAs } from '#ui/save-as.ts'
import { Table } from '#ui/table/Table.tsx'
import { useRoomLabels } from '../room-labels.tsx'
import { Bars, type Chart, chartsOf, Timeline } from './charts.tsx'
import { chartsQuery } from './queries.ts'
import classes from './Statistics.module.css'
import type { StatisticsSearch } from './search.ts'

const refetchMilliseconds = 10_000

/** The rooms that match the filter, counted by several properties, and their licences. */
export function StatisticsCharts({ search }: { search: StatisticsSearch }) {
  const { t } = useTranslation(['statistics', 'rooms'])
  const labels = useRoomLabels()
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
    ...labels,
    licence: (key: keyof typeof data.licenses) => t(`rooms:totals.${key}`),
    days: (count: number) => t('charts.withoutBackup.days', { count }),
  }
  return (
    <section className={`${classes.cards} ${isPlaceholderData ? 'rk-outdated' : ''}`} aria-label={t('charts.title')}>
      {chartsOf(data, names).map((chart) => (
        <ChartCard key={chart.id} chart={chart} />
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

/** A chart whose numbers can also be read as a table, and saved. */
function ChartCard({ chart }: { chart: Chart }) {
  const { t } = useTranslation('statistics')
  const [showsTable, setShowsTable] = useState(false)
  const title = t(`charts.${chart.id}.title`)
  const heads = [t(`charts.${chart.id}.name`), t(`charts.${chart.id}.count`)] as const
  const save = () => {
    const csv = csvOf([heads, ...chart.bars.map(({ label, count }) => [label, count])], chosenCsvFormat())
    saveAs(new Blob([csv], { type: 'text/csv;charset=utf-8' }), `${chart.id}_${new Date().toISOString()}.csv`)
  }
  return (
    <Box component="section" className="rk-panel" px="sm" pt="xs" pb="sm" aria-label={title}>
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
      {showsTable ? <Numbers chart={chart} heads={heads} title={title} /> : <Drawing chart={chart} title={title} />}
    </Box>
  )
}

/** A drawing, with its numbers as text for people who cannot see it. */
function Drawing({ chart, title }: { chart: Chart; title: string }) {
  const { t } = useTranslation('statistics')
  const number = useNumberFormat()
  if (chart.bars.length === 0) return <p className="rk-text rk-dimmed">{t('charts.none')}</p>
  const words = chart.bars.map(({ label, count }) => `${label}: ${number.format(count)}`).join(', ')
  return (
    <div role="img" aria-label={`${title}. ${words}`}>
      <div aria-hidden>{chart.isTimeline ? <Timeline bars={chart.bars} /> : <Bars bars={chart.bars} />}</div>
    </div>
  )
}

function Numbers({ chart, heads, title }: { chart: Chart; heads: readonly [string, string]; title: string }) {
  const number = useNumberFormat()
  return (
    <Box mah={320} style={{ overflowY: 'auto' }} tabIndex={0}>
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
