import type { DayCounts, DayKind } from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePollInterval } from '#api/events.ts'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { apiQuery, loadStateOf } from '#api/queries.ts'
import { formatTime, useNumberFormat } from '#ui/format.ts'
import { NotLoaded } from '#ui/table/NotLoaded.tsx'
import classes from './Overview.module.css'

/** Counts are fetched again after an event, at most this often. */
export const calmMilliseconds = 10_000

/** What became of project rooms today, in the time zone of the browser. */
export function Today() {
  const { t } = useTranslation('overview')
  const query = useQuery({ ...todayQuery(new Date()), refetchInterval: usePollInterval() })
  useRefetchOnEvents(['overview', 'today'], ({ type }) => type === 'room', calmMilliseconds)
  if (query.data === undefined) return <NotLoaded {...loadStateOf(query, t('today.failed'))} />
  return (
    <>
      <Counts {...query.data} />
      <Hours {...query.data} />
    </>
  )
}

function todayQuery(now: Date) {
  const midnight = (daysLater: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + daysLater).toISOString()
  const query = { day: midnight(0), to: midnight(1) }
  return apiQuery(['overview', 'today', query], 'today', { query }, { background: 'refetch' })
}

function Counts({ from, counts }: DayCounts) {
  const { t } = useTranslation('overview')
  const number = useNumberFormat()
  const { role } = useOperator()
  const done = counts.filter(({ count }) => count > 0)
  if (done.length === 0) return <p className="rk-hint">{t('today.none')}</p>
  return (
    <ul className="rk-list rk-row rk-gap-sm">
      {done.map(({ kind, count }) => {
        const text = t(`today.counts.${kind}`, { count, n: number.format(count) })
        const action = actions[kind]
        const day = dayOf(from)
        return (
          <li key={kind} className="numbers">
            {action !== undefined && roleAllows(role, 'admin') ? (
              <Link to="/project/audit" search={{ action, from: day, to: day }}>
                {text}
              </Link>
            ) : (
              text
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The entries of the audit trail that ask for it. */
const actions: Partial<Record<DayKind, string>> = {
  created: 'room.create',
  deleted: 'room.delete',
  moved: 'room.migrate',
  edited: 'room.edit',
  suspended: 'room.suspend',
  resumed: 'room.resume',
  restored: 'room.restore',
  'backed-up': 'room.backup',
}

/** In the time zone of the browser, as the audit trail is filtered. */
function dayOf(moment: string): string {
  const at = new Date(moment)
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** A bar for each hour; what failed is its upper part. */
function Hours({ hours }: Pick<DayCounts, 'hours'>) {
  const { t } = useTranslation('overview')
  const number = useNumberFormat()
  const sum = hours.reduce((total, { operations }) => total + operations, 0)
  const most = Math.max(1, ...hours.map(({ operations }) => operations))
  const share = (operations: number) => (operations === 0 ? 0 : Math.max(4, (100 * operations) / most))
  return (
    <figure className={classes.hours}>
      <svg viewBox={`0 0 ${hours.length * 10} 100`} preserveAspectRatio="none" aria-hidden>
        {hours.map(({ at, operations, failed }, hour) => (
          <g key={at}>
            <title>
              {t('today.hour', { at: formatTime(at).slice(0, -':00'.length), n: number.format(operations), failed })}
            </title>
            <rect x={hour * 10} width={10} height={100} data-empty />
            <rect x={hour * 10 + 1} width={8} y={100 - share(operations)} height={share(operations)} />
            <rect x={hour * 10 + 1} width={8} y={100 - share(operations)} height={share(failed)} data-failed />
          </g>
        ))}
      </svg>
      <figcaption className="rk-note">{t('today.operations', { count: sum, n: number.format(sum) })}</figcaption>
    </figure>
  )
}
