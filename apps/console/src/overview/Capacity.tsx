import { Progress } from '@mantine/core'
import type { RegionCapacity } from '@roomkeeper/contract'
import { whyDown } from '@roomkeeper/rules'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatDay } from '#ui/day.ts'
import { useNumberFormat } from '#ui/format.ts'
import { Pill } from '#ui/Pill.tsx'
import { RegionHealth } from '#ui/RegionHealth.tsx'
import classes from './Overview.module.css'

const dayMilliseconds = 86_400_000

/** How full the regions are, how that has changed, and when they are full. */
export function Capacity({ regions }: { regions: readonly RegionCapacity[] }) {
  const { t } = useTranslation('overview')
  if (regions.length === 0) return <p className="rk-hint">{t('capacity.none')}</p>
  return (
    <ul className={`rk-list ${classes.regions}`}>
      {regions.map((region) => (
        <li key={region.region}>
          <RegionLine region={region} />
        </li>
      ))}
    </ul>
  )
}

function RegionLine({ region }: { region: RegionCapacity }) {
  const { t } = useTranslation(['overview', 'capacity'])
  const number = useNumberFormat()
  const { regionName, limit, state, trend, fullOn } = region
  const rooms = number.format(region.rooms)
  const free = limit === null ? null : Math.max(limit - region.rooms, 0)
  return (
    <>
      <span className="rk-row">
        <Link to="/project/administration" search={{ region: String(region.region) }} className="rk-text">
          {regionName}
        </Link>
        {whyDown(region) !== null && <RegionHealth region={region} />}
        {state === 'disabled' && <Pill isSmall>{t('capacity:disabled')}</Pill>}
        {free === 0 && (
          <Pill tone="warn" icon={IconAlertTriangle} isSmall>
            {t('capacity:full')}
          </Pill>
        )}
        <span className="rk-note rk-push">
          {limit === null
            ? t('capacity:unlimited', { rooms })
            : t('capacity:limited', { rooms, limit: number.format(limit) })}
        </span>
      </span>
      {limit !== null && (
        <Progress
          value={limit === 0 ? 100 : (region.rooms / limit) * 100}
          color={free === 0 ? 'red' : undefined}
          aria-label={t('capacity.bar', { name: regionName })}
        />
      )}
      <span className="rk-row">
        {free !== null && free > 0 && (
          <span className="rk-note">{t('capacity.free', { count: free, n: number.format(free) })}</span>
        )}
        {fullOn !== null && free !== 0 && <FullOn day={fullOn} />}
        <Trend trend={trend} />
      </span>
    </>
  )
}

function FullOn({ day }: { day: string }) {
  const { t } = useTranslation('overview')
  const [unit, count] = roughly(Math.max(1, Math.ceil((Date.parse(day) - Date.now()) / dayMilliseconds)))
  return (
    <time className={`rk-note ${classes.fullOn}`} dateTime={day} title={formatDay(day)} data-soon={unit !== 'years'}>
      {t(`capacity.fullIn.${unit}`, { count })}
    </time>
  )
}

/** In the unit in which people say it. */
function roughly(days: number): [unit: 'days' | 'weeks' | 'months' | 'years', count: number] {
  if (days < 14) return ['days', days]
  if (days < 70) return ['weeks', Math.round(days / 7)]
  return days < 700 ? ['months', Math.round(days / 30.4)] : ['years', Math.round(days / 365)]
}

/** The line of the recorded days, from the fewest to the most rooms. */
function Trend({ trend }: Pick<RegionCapacity, 'trend'>) {
  const { t } = useTranslation('overview')
  const number = useNumberFormat()
  const [first, last] = [trend[0], trend.at(-1)]
  if (first === undefined || last === undefined || first === last) return null
  const counts = trend.map(({ rooms }) => rooms)
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  const begin = Date.parse(first.day)
  const x = (day: string) => (100 * (Date.parse(day) - begin)) / (Date.parse(last.day) - begin)
  const y = (rooms: number) => (most === least ? 50 : 95 - (90 * (rooms - least)) / (most - least))
  const said = { since: formatDay(first.day), from: number.format(first.rooms), to: number.format(last.rooms) }
  return (
    <svg
      className={classes.trend}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      role="img"
      aria-label={t('capacity.trend', said)}
    >
      <title>{t('capacity.trend', said)}</title>
      <polyline points={trend.map(({ day, rooms }) => `${x(day)},${y(rooms)}`).join(' ')} />
    </svg>
  )
}
