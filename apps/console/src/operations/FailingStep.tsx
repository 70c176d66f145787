import { Text } from '@mantine/core'
import type { FailingStep as Failing } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOfReasons } from '#locales/error-texts.ts'
import { loadTexts } from '#locales/load-texts.ts'
import { formatDate, formatMinute, formatTime } from '#ui/format.ts'
import { runningOperationsQuery } from './queries.ts'

interface FailingStepProps {
  failing: Failing
  /** When the answer came, in milliseconds since 1970. */
  asOf: number
}

/** Why an operation does not get on, since when, and when it is tried again: counts down without asking the server. */
export function FailingStep({ failing, asOf }: FailingStepProps) {
  const { t } = useTranslation('operations')
  // The next second shows them.
  useEffect(() => void loadTexts('errors'), [])
  const seconds = Math.ceil(failing.secondsToNextTry - useSecondsSince(asOf))
  const next = seconds > 0 ? t('failing.nextTry', { n: seconds }) : t('failing.now')
  const since = momentOf(failing.since)
  const [reason] = failing.reasons
  const isAway = reason?.code === 'region-unreachable' || reason?.code === 'named-region-unreachable'
  const region = isAway ? reason.params.region : undefined
  return (
    <Text span inherit className="rk-text" c="var(--rk-warn)" flex="0 1 100%">
      {typeof region === 'string'
        ? t('failing.away', { region, since, next })
        : t('failing.other', { why: textOfReasons(failing.reasons, t('failing.unknown')), since, next })}
    </Text>
  )
}

/** Why a running operation does not get on; nothing as long as it does. */
export function FailingOperation({ operationId }: { operationId: string }) {
  const { data, dataUpdatedAt } = useQuery(runningOperationsQuery)
  const failing = data?.find((each) => each.operationId === operationId)?.failing ?? null
  return failing === null ? null : <FailingStep failing={failing} asOf={dataUpdatedAt} />
}

/** The time of today, or the day too. */
function momentOf(iso: string): string {
  const isToday = formatDate(iso) === formatDate(new Date().toISOString())
  return isToday ? formatTime(iso).slice(0, 5) : formatMinute(iso)
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
