import { IconChartBar, IconDownload, IconTable } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconAction } from '#ui/ActionButtons.tsx'
import { useNumberFormat } from '#ui/format.ts'
import { csvOf, saveAs } from '#ui/save-as.ts'
import { Table } from '#ui/table/Table.tsx'
import { Bars, Timeline } from './Bars.tsx'
import type { Chart } from './charts.ts'
import classes from './StatisticsCharts.module.css'

/** One chart, whose numbers can be read as a table too, and saved. */
export function ChartCard({ chart }: { chart: Chart }) {
  const { t } = useTranslation('statistics')
  const [showsTable, setShowsTable] = useState(false)
  const title = t(`charts.${chart.id}.title`)
  const heads = [t(`charts.${chart.id}.name`), t(`charts.${chart.id}.count`)] as const
  const save = () => {
    const csv = csvOf([heads, ...chart.bars.map(({ label, count }) => [label, count])])
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
      </div>
      {showsTable ? <Numbers chart={chart} heads={heads} title={title} /> : <Drawing chart={chart} title={title} />}
    </section>
  )
}

/** A picture with its numbers in words, for those who cannot see it. */
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
