import type { RoomStatistics } from '@roomkeeper/contract'
import { IconChartBar, IconDownload, IconTable } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client, inBackground } from '#api/client.ts'
import { usePollInterval } from '#api/events.ts'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { textOf } from '#api/text-of-error.ts'
import { IconAction } from '#ui/ActionButtons.tsx'
import { CsvFormMenu } from '#ui/CsvFormMenu.tsx'
import { chosenCsvForm } from '#ui/csv-form.ts'
import { useNumberFormat } from '#ui/format.ts'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import { csvOf, saveAs } from '#ui/save-as.ts'
import { Table } from '#ui/table/Table.tsx'
import { useRoomLabels } from '../room-labels.tsx'
import { Bars, type Chart, chartsOf, Timeline } from './charts.tsx'
import { chartsQuery } from './queries.ts'
import classes from './StatisticsCharts.module.css'
import type { StatisticsSearch } from './search.ts'

const refetchMilliseconds = 10_000

/** The rooms that match the filter, counted by several properties, and their licences. */
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
  const names = {
    ...labels,
    licence: (key: keyof typeof data.licenses) => t(`rooms:totals.${key}`),
    days: (count: number) => t('charts.withoutBackup.days', { count }),
  }
  return (
    <section className={classes.root} aria-label={t('charts.title')} data-outdated={isPlaceholderData || undefined}>
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
    const csv = csvOf([heads, ...chart.bars.map(({ label, count }) => [label, count])], chosenCsvForm())
    saveAs(new Blob([csv], { type: 'text/csv;charset=utf-8' }), `${chart.id}_${new Date().toISOString()}.csv`)
  }
  return (
    <section className={classes.card} aria-label={title}>
      <div className={classes.head}>
        <h2>{title}</h2>
        <IconAction
          label={t(showsTable ? 'charts.asChart' : 'charts.asTable', { title })}
          icon={showsTable ? IconChartBar : IconTable}
          onClick={() => setShowsTable(!showsTable)}
        />
        <IconAction label={t('charts.export', { title })} icon={IconDownload} onClick={save} />
        <CsvFormMenu what={title} onExport={save} />
      </div>
      {showsTable ? <Numbers chart={chart} heads={heads} title={title} /> : <Drawing chart={chart} title={title} />}
    </section>
  )
}

/** A drawing, with its numbers as text for people who cannot see it. */
function Drawing({ chart, title }: { chart: Chart; title: string }) {
  const { t } = useTranslation('statistics')
  const number = useNumberFormat()
  if (chart.bars.length === 0) return <p className={classes.none}>{t('charts.none')}</p>
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard.
    <div className={classes.numbers} tabIndex={0}>
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
    </div>
  )
}

/** The counts that the charts show; fetched again in the background while rooms change. */
function roomStatisticsQuery(search: StatisticsSearch) {
  const query = chartsQuery(search)
  return queryOptions({
    queryKey: ['rooms', 'statistics', query],
    queryFn: async ({ signal, client: cache, queryKey }): Promise<RoomStatistics> => {
      const headers = cache.getQueryData(queryKey) === undefined ? {} : inBackground
      return (await client.call('roomStatistics', { query, headers, signal })).body
    },
    staleTime: 0,
  })
}
