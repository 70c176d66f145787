import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { useTranslation } from 'react-i18next'
import { useNumberFormat } from '#ui/format.ts'
import { type Bar, largestBars } from './charts.ts'

const mostBars = 12
const barPixels = 26
const timelinePixels = 160
/** One colour: what a bar means is written beside it. */
const series = [{ name: 'count', color: 'var(--rk-accent-text)' }]

/** Bars below each other, each with its name before and its number behind it. */
export function Bars({ bars }: { bars: readonly Bar[] }) {
  const { t } = useTranslation('statistics')
  const number = useNumberFormat()
  const shown = largestBars(bars, mostBars, (count) => t('charts.rest', { count }))
  return (
    <BarChart
      h={shown.length * barPixels + 8}
      data={shown}
      dataKey="label"
      series={series}
      orientation="vertical"
      gridAxis="none"
      withXAxis={false}
      withTooltip={false}
      withBarValueLabel
      barLabelColor="var(--rk-text)"
      accessibilityLayer={false}
      textColor="var(--rk-text)"
      valueFormatter={(value) => number.format(value)}
      yAxisProps={{ width: 150, interval: 0, tickLine: false, tickMargin: 0 }}
      barProps={{ radius: 3, barSize: 14 }}
      minBarSize={2}
      barChartProps={{ margin: { top: 0, right: 56, bottom: 0, left: 0 } }}
    />
  )
}

/** Months from left to right; the number of the one that is pointed at is shown. */
export function Timeline({ bars }: { bars: readonly Bar[] }) {
  const { t, i18n } = useTranslation('statistics')
  const number = useNumberFormat()
  const month = new Intl.DateTimeFormat(i18n.language, { month: 'short', year: 'numeric', timeZone: 'UTC' })
  const data = bars.map(({ label, count }) => ({ label: month.format(new Date(`${label}-01T00:00:00Z`)), count }))
  return (
    <BarChart
      h={timelinePixels}
      data={data}
      dataKey="label"
      series={series.map((each) => ({ ...each, label: t('charts.createdPerMonth.count') }))}
      tickLine="none"
      accessibilityLayer={false}
      textColor="var(--rk-dimmed)"
      gridColor="var(--rk-line)"
      valueFormatter={(value) => number.format(value)}
      yAxisProps={{ width: 48, allowDecimals: false }}
      barProps={{ radius: [3, 3, 0, 0], maxBarSize: 28 }}
      barChartProps={{ margin: { top: 12, right: 8 } }}
    />
  )
}
