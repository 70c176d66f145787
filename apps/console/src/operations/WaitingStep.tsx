import { Text } from '@mantine/core'
import type { WaitingStep as Waiting } from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { loadTexts } from '#locales/load-texts.ts'
import { runningOperationsQuery } from './queries.ts'
import { silentRegion, waitingText } from './waiting-text.ts'

interface WaitingStepProps {
  waiting: Waiting
  /** When the answer came, in milliseconds since 1970. */
  asOf: number
  /** Called when the link to the region's settings is followed. */
  onLeave?: (() => void) | undefined
}

/**
 * Why an operation does not get on, since when, when it is tried again, and when it gives up: counts down without asking
 * the server.
 */
export function WaitingStep({ waiting, asOf, onLeave }: WaitingStepProps) {
  const { t } = useTranslation('operations')
  const { role } = useOperator()
  // The next second shows them.
  useEffect(() => void loadTexts('errors'), [])
  const seconds = waiting.secondsToNextTry - useSecondsSince(asOf)
  return (
    <Text span inherit className="rk-text" c="var(--rk-warn)" flex="0 1 100%">
      {waitingText(waiting, seconds)}{' '}
      {silentRegion(waiting) !== null && roleAllows(role, 'admin') && (
        <Link to="." search={(search) => ({ ...search, cloud: 'regions' as const })} onClick={onLeave}>
          {t('waits.region')}
        </Link>
      )}
    </Text>
  )
}

interface WaitingOperationProps extends Pick<WaitingStepProps, 'onLeave'> {
  operationId: string
}

/** Why a running operation does not get on; nothing as long as it does. */
export function WaitingOperation({ operationId, onLeave }: WaitingOperationProps) {
  const { data, dataUpdatedAt } = useQuery(runningOperationsQuery)
  const waiting = data?.find((each) => each.operationId === operationId)?.waiting ?? null
  return waiting === null ? null : <WaitingStep waiting={waiting} asOf={dataUpdatedAt} onLeave={onLeave} />
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
