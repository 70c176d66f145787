import type { FailingMove as Failing } from '@roomkeeper/contract'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOfReasons } from '#ui/coded-text.ts'
import { formatDate, formatMoment, formatTime } from '#ui/format.ts'
import classes from './LiveMigrations.module.css'

interface FailingMoveProps {
  failing: Failing
  /** When the answer came, in milliseconds since 1970. */
  asOf: number
}

/** Why a move does not get on, since when, and when it is tried again: counts down without asking the server. */
export function FailingMove({ failing, asOf }: FailingMoveProps) {
  const { t } = useTranslation('migrations')
  const seconds = Math.ceil(failing.secondsToNextTry - useSecondsSince(asOf))
  const next = seconds > 0 ? t('run.failing.nextTry', { n: seconds }) : t('run.failing.now')
  const since = momentOf(failing.since)
  const [reason] = failing.reasons
  const isAway = reason?.code === 'region-unreachable' || reason?.code === 'named-region-unreachable'
  const region = isAway ? reason.params.region : undefined
  return (
    <span className={classes.failing}>
      {typeof region === 'string'
        ? t('run.failing.away', { region, since, next })
        : t('run.failing.other', { why: textOfReasons(failing.reasons, t('run.failing.unknown')), since, next })}
    </span>
  )
}

/** The time of today, or the day too. */
function momentOf(iso: string): string {
  const isToday = formatDate(iso) === formatDate(new Date().toISOString())
  return isToday ? formatTime(iso).slice(0, 5) : formatMoment(iso).slice(0, -3)
}

function useSecondsSince(moment: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  // An answer may be younger than the last tick.
  return Math.max(0, now - moment) / 1000
}
