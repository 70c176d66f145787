/** The charts of the statistics: the labels and numbers of their bars, and how they are drawn. */

import { type LicenceTotalKey, licenceTotalKeys, type RoomStatistics } from '@roomkeeper/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNumberFormat } from '#ui/format.ts'
import type { RoomFilters, RoomsSearch } from '../list/search.ts'
import classes from './charts.module.css'

interface Bar {
  label: string
  count: number
  /** The filter of the list for the rooms that are counted; absent where it has none. */
  rooms?: RoomFilters
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
  month: (month: string) => string
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
      byProduct.map(({ product, rooms }) => ({ label: names.product[product], count: rooms, rooms: { product } })),
    ),
    list(
      'byEdition',
      byEdition.map(({ edition, rooms }) => ({ label: names.edition[edition], count: rooms, rooms: { edition } })),
    ),
    list(
      'byRegion',
      byRegion.map(({ region, regionName, rooms }) => ({
        label: regionName,
        count: rooms,
        rooms: { region: String(region) },
      })),
    ),
    {
      id: 'createdPerMonth',
      isTimeline: true,
      bars: createdPerMonth.map(({ month, rooms }) => ({
        label: names.month(month),
        count: rooms,
        rooms: { created: month },
      })),
    },
    {
      id: 'withoutBackup',
      isTimeline: false,
      bars: withoutBackup.map(({ days, rooms }) => ({
        label: names.days(days),
        count: rooms,
        rooms: { backup: days },
      })),
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

/** As many as fit into a card. */
const maxBars = 6

interface BarsProps {
  title: string
  bars: readonly Bar[]
  /** The list of all rooms that are counted. */
  all: RoomsSearch
}

/**
 * Horizontal bars, each with its label before it and its number after it; they lead to the list of their rooms. Drawn
 * with CSS: a library of charts is 120 kB for what a list does.
 * @param onMore shows the bars that are left out
 */
export function Bars({ title, bars, all, onMore }: BarsProps & { onMore: () => void }) {
  const { t } = useTranslation('statistics')
  const number = useNumberFormat()
  const shown = largestBars(bars, maxBars, (count) => t('charts.rest', { count }))
  const largest = Math.max(1, ...shown.map(({ count }) => count))
  const isRest = (n: number) => bars.length > maxBars && n === maxBars - 1
  return (
    <ol className={classes.bars} aria-label={title}>
      {shown.map((bar, n) => (
        <li key={bar.label}>
          {isRest(n) ? (
            <button type="button" className={`rk-link ${classes.label}`} onClick={onMore}>
              {bar.label}
            </button>
          ) : (
            <BarLink bar={bar} all={all} className={`rk-cut ${classes.label}`}>
              {bar.label}
            </BarLink>
          )}
          <span className={classes.track}>
            <span className={classes.bar} style={{ width: shareOf(bar.count, largest) }} />
          </span>
          <span className={classes.number}>{number.format(bar.count)}</span>
        </li>
      ))}
    </ol>
  )
}

interface BarLinkProps extends Pick<BarsProps, 'all'> {
  bar: Bar
  className: string | undefined
  children: ReactNode
}

function BarLink({ bar: { rooms }, all, className, children }: BarLinkProps) {
  if (rooms === undefined) return <span className={className}>{children}</span>
  return (
    <Link to="/project/administration" search={{ ...all, ...rooms }} preload={false} className={className}>
      {children}
    </Link>
  )
}

/** As many labels as fit below the narrowest card; the last months have none if it would not fit. */
const maxLabels = 5

/** Vertical bars, one per month. A tooltip shows the number of a month. The month that is not over yet is lighter. */
export function Timeline({ title, bars, all }: BarsProps) {
  const { t } = useTranslation('statistics')
  const number = useNumberFormat()
  const ticks = ticksUpTo(Math.max(...bars.map(({ count }) => count)))
  const top = ticks.at(-1) ?? 1
  const every = monthsPerLabel(bars.length)
  const now = new Date().toISOString().slice(0, '2026-01'.length)
  return (
    <div className={classes.timeline}>
      <div className={classes.ticks}>
        {ticks.map((tick) => (
          <span key={tick} style={{ bottom: shareOf(tick, top) }}>
            {number.format(tick)}
          </span>
        ))}
      </div>
      <ol className={classes.months} aria-label={title}>
        {bars.map((bar, n) => {
          const isRunning = bar.rooms?.created === now
          const name = isRunning ? t('charts.soFar', { month: bar.label }) : bar.label
          const text = `${name}: ${number.format(bar.count)}`
          return (
            <li key={bar.label} title={text}>
              <BarLink bar={bar} all={all} className={classes.column}>
                <span className="rk-hidden">{text}</span>
              </BarLink>
              <span
                className={classes.bar}
                data-running={isRunning || undefined}
                style={{ height: shareOf(bar.count, top) }}
              />
              {n % every === 0 && n + every <= bars.length && (
                <span className={classes.month} aria-hidden>
                  {bar.label}
                </span>
              )}
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
