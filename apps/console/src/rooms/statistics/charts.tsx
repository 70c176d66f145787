/** The charts of the statistics: the labels and numbers of their bars, and how they are drawn. */

import { BarChart } from '@mantine/charts'
import { type LicenceTotalKey, licenceTotalKeys, type RoomStatistics } from '@roomkeeper/contract'
import '@mantine/charts/styles.layer.css'

import { useTranslation } from 'react-i18next'
import { useNumberFormat } from '#ui/format.ts'

interface Bar {
  label: string
  count: number
}

export interface Chart {
  id: 'byProduct' | 'byEdition' | 'byRegion' | 'createdPerMonth' | 'licenses'
  /** A timeline has months from left to right. Every other chart is a list of bars. */
  isTimeline: boolean
  bars: readonly Bar[]
}

interface Naming {
  product: Readonly<Record<RoomStatistics['byProduct'][number]['product'], string>>
  edition: Readonly<Record<RoomStatistics['byEdition'][number]['edition'], string>>
  licence: (key: LicenceTotalKey) => string
}

/** Totals in other units than licences. */
const otherUnits: readonly LicenceTotalKey[] = ['yukonDataVolume', 'aiCredits']

/** Bars are sorted with the largest first, months by time. */
export function chartsOf(statistics: RoomStatistics, names: Naming): Chart[] {
  const { byProduct, byEdition, byRegion, createdPerMonth, licenses } = statistics
  const kinds = licenceTotalKeys.filter((key) => !otherUnits.includes(key))
  return [
    list(
      'byProduct',
      byProduct.map(({ product, rooms }) => ({ label: names.product[product], count: rooms })),
    ),
    list(
      'byEdition',
      byEdition.map(({ edition, rooms }) => ({ label: names.edition[edition], count: rooms })),
    ),
    list(
      'byRegion',
      byRegion.map(({ regionName, rooms }) => ({ label: regionName, count: rooms })),
    ),
    {
      id: 'createdPerMonth',
      isTimeline: true,
      bars: createdPerMonth.map(({ month, rooms }) => ({ label: month, count: rooms })),
    },
    list(
      'licenses',
      kinds.map((key) => ({ label: names.licence(key), count: licenses[key] })),
    ),
  ]
}

function list(id: Chart['id'], bars: readonly Bar[]): Chart {
  return { id, isTimeline: false, bars: bars.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count) }
}

/** The largest bars, plus one for the sum of the others. Keeps a chart readable with many regions. */
export function largestBars(bars: readonly Bar[], most: number, nameOfRest: (count: number) => string): Bar[] {
  if (bars.length <= most) return [...bars]
  const rest = bars.slice(most - 1)
  const sum = rest.reduce((total, { count }) => total + count, 0)
  return [...bars.slice(0, most - 1), { label: nameOfRest(rest.length), count: sum }]
}

const mostBars = 12
const barPixels = 26
const timelinePixels = 160
/** All bars have one colour because each has its label beside it. */
const series = [{ name: 'count', color: 'var(--rk-accent-text)' }]

/** Horizontal bars, each with its label before it and its number after it. */
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

/** Vertical bars, one per month. A tooltip shows the number of a month. */
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
