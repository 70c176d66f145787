import { Button } from '@mantine/core'
import type { OperationStep } from '@roomkeeper/contract'
import { IconCircle, IconCircleCheck, IconCircleX, IconLoader2, IconRotate } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type UIEvent, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { usePollInterval } from '#api/events.ts'
import { textOf } from '#api/text-of-error.ts'
import { formatDate, formatMoment, formatTime } from '#ui/format.ts'
import { FailureText } from './FailureText.tsx'
import { LatestLines } from './LatestLines.tsx'
import classes from './OperationLog.module.css'
import { isOver, type LoggedOperation as Log, operationLogQuery } from './queries.ts'
import { useStepTitles } from './use-step-titles.ts'

interface OperationLogProps {
  operationId: string
  /** Called when a link leads to the region's settings. */
  onLeave?: (() => void) | undefined
}

/** The steps of an operation with their durations, and its log, updated while it runs. */
export function OperationLog({ operationId, onLeave }: OperationLogProps) {
  const { t } = useTranslation(['operations', 'app'])
  const pollInterval = usePollInterval()
  const { data, error, isPending, refetch } = useQuery({
    ...operationLogQuery(operationId),
    refetchInterval: ({ state }) => (state.data !== undefined && isOver(state.data.state) ? false : pollInterval),
  })
  if (isPending) return <p className={classes.note}>{t('app:loading')}</p>
  if (data === undefined) {
    return (
      <div role="alert" className={classes.note}>
        <p>{textOf(error)}</p>
        <Button variant="default" size="compact-sm" onClick={() => void refetch()}>
          {t('app:tryAgain')}
        </Button>
      </div>
    )
  }
  return (
    <div className={classes.root}>
      <ol className={classes.steps} aria-label={t('steps')}>
        {data.steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
      </ol>
      <Lines lines={data.lines} onLeave={onLeave} />
    </div>
  )
}

const icons = {
  open: IconCircle,
  running: IconLoader2,
  done: IconCircleCheck,
  failed: IconCircleX,
  undone: IconRotate,
} as const

function Step({ step }: { step: OperationStep }) {
  const { t, i18n } = useTranslation(['operations', 'app'])
  const stepTitle = useStepTitles()
  const Icon = icons[step.state]
  const duration =
    step.startedAt === null || step.endedAt === null
      ? ''
      : formatDuration(Date.parse(step.endedAt) - Date.parse(step.startedAt), i18n.language)
  return (
    <li className={classes.step} data-state={step.state}>
      <Icon size={16} stroke={2} className={classes.icon ?? ''} aria-hidden />
      <span>{stepTitle(step.id, step.name)}</span>
      <span className={classes.state}>{t(`states.${step.state}`)}</span>
      <span className={classes.duration}>{duration}</span>
    </li>
  )
}

function Lines({ lines, onLeave }: { lines: Log['lines']; onLeave: (() => void) | undefined }) {
  const { t } = useTranslation(['operations', 'app'])
  const box = useRef<HTMLElement>(null)
  const followsAlong = useRef(true)
  // After the operator has scrolled up, the log stays there.
  const noteScroll = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent<HTMLElement>) => {
    followsAlong.current = scrollHeight - scrollTop - clientHeight < 24
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines are what moves the end.
  useLayoutEffect(() => {
    if (followsAlong.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight
  }, [lines.length])
  if (lines.length === 0) return <p className={classes.note}>{t('noLines')}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section ref={box} className={classes.lines} aria-label={t('log')} tabIndex={0} onScroll={noteScroll}>
      <LatestLines lines={lines}>
        {(line) => (
          <div key={line.n} className={classes.line} data-level={line.level}>
            <time dateTime={line.at} title={formatMoment(line.at)}>
              {momentOf(line.at)}
            </time>
            <span>
              <FailureText reasons={line.reasons} text={line.text} onLeave={onLeave} />
            </span>
          </div>
        )}
      </LatestLines>
    </section>
  )
}

/** The time, with the date unless it is today. */
export function momentOf(iso: string): string {
  return formatDate(iso) === formatDate(new Date().toISOString()) ? formatTime(iso) : formatMoment(iso)
}

/** `0.4 s`, `12 s`, `3 min 5 s`, `2 h 4 min`. */
export function formatDuration(milliseconds: number, language = 'en'): string {
  if (milliseconds < 9_950) {
    const number = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
    return `${number.format(Math.max(0, milliseconds) / 1000)} s`
  }
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
