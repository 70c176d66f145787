import { Button } from '@mantine/core'
import { type QueryKey, type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './SlowAnswer.module.css'

/** Regions answer within moments, or one of them hangs. */
const patienceMilliseconds = 2000

interface SlowAnswerProps {
  isWaiting: boolean
  /** What is waited for. */
  text: string
  /** The button to go on without the answer. */
  children?: ReactNode
}

/** Says what is waited for once that takes longer than 2 s. */
export function SlowAnswer({ isWaiting, text, children }: SlowAnswerProps) {
  const isSlow = useIsSlow(isWaiting)
  if (!isWaiting) return null
  // Drawn before it has a text, so that screen readers announce the text.
  return (
    <div role="status" data-wide className={`rk-hint rk-row rk-gap-sm ${classes.root}`}>
      {isSlow && (
        <>
          <span>{text}</span>
          {children}
        </>
      )}
    </div>
  )
}

function useIsSlow(isWaiting: boolean): boolean {
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setIsSlow(true), patienceMilliseconds)
    return () => {
      clearTimeout(timer)
      setIsSlow(false)
    }
  }, [isWaiting])
  return isSlow
}

interface SlowButtonProps {
  onClick: () => void
  children: ReactNode
}

export function SlowButton(props: SlowButtonProps) {
  return <Button size="compact-xs" variant="default" {...props} />
}

interface SlowQueryProps {
  query: UseQueryResult
  queryKey: QueryKey
  /** The name of the region that answers. */
  region: string
}

/** Where a query waits for a region: offers to go on without its answer and, after that, to ask it again. */
export function SlowQuery({ query, queryKey, region }: SlowQueryProps) {
  const { t } = useTranslation('app')
  const queryClient = useQueryClient()
  if (isGivenUp(query)) {
    return (
      <div role="status" data-wide className={`rk-hint rk-row rk-gap-sm ${classes.root}`}>
        <span>{t('slow.without', { region })}</span>
        <SlowButton onClick={() => void query.refetch()}>{t('slow.again')}</SlowButton>
      </div>
    )
  }
  const goOn = () => void queryClient.cancelQueries({ queryKey, exact: true })
  return (
    <SlowAnswer isWaiting={query.isPending} text={t('slow.region', { region })}>
      <SlowButton onClick={goOn}>{t('slow.goOn')}</SlowButton>
    </SlowAnswer>
  )
}

/** Whether the operator went on without the answer of a query, which must be an enabled one. */
export function isGivenUp({ isPending, fetchStatus }: UseQueryResult): boolean {
  return isPending && fetchStatus === 'idle'
}
