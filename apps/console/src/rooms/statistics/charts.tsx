/** The charts of the statistics: the labels and numbers of their bars, and how they are drawn. */

import { type LicenceTotalKey, licenceTotalKeys, type RoomStatistics } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { intlTag } from '#locales/number-format.ts'
import { useNumberFormat } from '#ui/format.ts'
import classes from './charts.module.css'

interface Bar {
  label: string
  count: number
}

export interface Chart {
  id: 'byProduct' | 'byEdition' | 'byRegion' | 'createdPerMonth' | 'withoutBackup' | 'licenses'
  /** A timeline has months from left to right. Every other chart is a list of bars. */
  isTimeline: boolean
  bars: readonly Bar[]
}

interface Naming {
  product: Readonly<Record<RoomStatistics['byProduct'][number]['product'], string>>
  edition: Readonly<Record<RoomStatistics['byEdition'][number]['edition'], string>>
  licence: (key: LicenceTotalKey) => string
  days: (count: number) => string
}

/** Totals in other units than licences. */
const otherUnits: readonly LicenceTotalKey[] = ['yukonDataVolume', 'aiCredits']

/** Bars are sorted with the largest first, months by time. */
export function chartsOf(statistics: RoomStatistics, names: Naming): Chart[] {
  const { byProduct, byEdition, byRegion, createdPerMonth, withoutBackup, licenses } = statistics
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
    {
      id: 'withoutBackup',
      isTimeline: false,
      bars: withoutBackup.map(({ days, rooms }) => ({ label: names.days(days), count: rooms })),
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
export function largestBars(bars: readonly Bar[], max: number, nameOfRest: (count: number) => string): Bar[] {
  if (bars.length <= max) return [...bars]
  const rest = bars.slice(max - 1)
  const sum = rest.reduce((total, { count }) => total + count, 0)
  return [...bars.slice(0, max - 1), { label: nameOfRest(rest.length), count: sum }]
}

const maxBars = 12

/**
 * Horizontal bars, each with its label before it and its number after it. Drawn with CSS: a library of charts is 120 kB
 * for what a list does.
 */
export function Bars({ bars }: { bars: readonly Bar[] }) {
  const { t } = useTranslation('statistics')
  const number = useNumberFormat()
  const shown = largestBars(bars, maxBars, (count) => t('charts.rest', { count }))
  const largest = Math.max(1, ...shown.map(({ count }) => count))
  return (
    <ol className={classes.bars}>
      {shown.map(({ label, count }) => (
        <li key={label}>
          <span className={`rk-cut ${classes.label}`}>{label}</span>
          <span className={classes.track}>
            <span className={classes.bar} style={{ width: shareOf(count, largest) }} />
          </span>
          <span className={classes.number}>{number.format(count)}</span>
        </li>
      ))}
    </ol>
  )
}

/** As many labels as fit below the narrowest card; the last months have none if it would not fit. */
const maxLabels = 5

/** Vertical bars, one per month. A tooltip shows the number of a month. */
export function Timeline({ bars }: { bars: readonly Bar[] }) {
  const { i18n } = useTranslation()
  const number = useNumberFormat()
  const month = new Intl.DateTimeFormat(intlTag(i18n.language), { month: 'short', year: 'numeric', timeZone: 'UTC' })
  const ticks = ticksUpTo(Math.max(...bars.map(({ count }) => count)))
  const top = ticks.at(-1) ?? 1
  const every = monthsPerLabel(bars.length)
  return (
    <div className={classes.timeline}>
      <div className={classes.ticks}>
        {ticks.map((tick) => (
          <span key={tick} style={{ bottom: shareOf(tick, top) }}>
            {number.format(tick)}
          </span>
        ))}
      </div>
      <ol className={classes.months}>
        {bars.map(({ label, count }, n) => {
          const name = month.format(new Date(`${label}-01T00:00:00Z`))
          return (
            <li key={label} title={`${name}: ${number.format(count)}`}>
              <span className={classes.bar} style={{ height: shareOf(count, top) }} />
              {n % every === 0 && n + every <= bars.length && <span className={classes.month}>{name}</span>}
            </li>
          )
        })}
      </ol>
    </div>
  )
}

/** So many that people count in them: parts of a year, or whole years. */
export function monthsPerLabel(months: number): number {
  const least = months / maxLabels
  return [1, 2, 3, 6].find((each) => each >= least) ?? 12 * Math.ceil(least / 12)
}

function shareOf(count: number, largest: number): string {
  return `${(100 * count) / largest}%`
}

/** Round numbers from 0 to at least `largest`, with at most four steps. */
export function ticksUpTo(largest: number): number[] {
  const least = Math.max(1, largest / 4)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= least) ?? least
  return Array.from({ length: Math.max(1, Math.ceil(largest / step)) + 1 }, (_, n) => n * step)
}
