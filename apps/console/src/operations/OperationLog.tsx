import { Button, Text } from '@mantine/core'
import type { OperationStep } from '@roomkeeper/contract'
import { IconCircle, IconCircleCheck, IconCircleX, IconLoader2, IconRotate } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, type UIEvent, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { usePollInterval } from '#api/events.ts'
import { textOf } from '#locales/error-texts.ts'
import { formatDuration, formatMoment, formatRecent } from '#ui/format.ts'
import { LatestLines, LineText } from './LatestLines.tsx'
import classes from './OperationLog.module.css'
import { stepTitle } from './operation-names.ts'
import { isOver, type LoggedOperation, operationLogQuery } from './queries.ts'

const note = { c: 'dimmed', my: 'xs', inherit: true }

interface OperationLogProps {
  operationId: string
  /** Called when a link leads to the region's settings. */
  onLeave?: (() => void) | undefined
}

/** The steps of an operation with their durations, and its log, updated while it runs. Only it waits for its texts. */
export function OperationLog(props: OperationLogProps) {
  return (
    <Suspense>
      <Log {...props} />
    </Suspense>
  )
}

function Log({ operationId, onLeave }: OperationLogProps) {
  const { t } = useTranslation(['operations', 'app'])
  const pollInterval = usePollInterval()
  const { data, error, isPending, refetch } = useQuery({
    ...operationLogQuery(operationId),
    refetchInterval: ({ state }) => (state.data !== undefined && isOver(state.data.state) ? false : pollInterval),
  })
  if (isPending) return <Text {...note}>{t('app:loading')}</Text>
  if (data === undefined) {
    return (
      <Text component="div" role="alert" {...note}>
        <p className="rk-text">{textOf(error)}</p>
        <Button variant="default" size="compact-sm" onClick={() => void refetch()}>
          {t('app:tryAgain')}
        </Button>
      </Text>
    )
  }
  return (
    <div className="rk-column rk-gap-sm">
      <ol className="rk-list" aria-label={t('steps')}>
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
  const Icon = icons[step.state]
  const duration =
    step.startedAt === null || step.endedAt === null
      ? ''
      : formatDuration(Date.parse(step.endedAt) - Date.parse(step.startedAt), i18n.language)
  return (
    <li className={classes.step} data-state={step.state}>
      <Icon size={16} stroke={2} className="rk-state-icon" data-state={step.state} aria-hidden />
      <span>{stepTitle(step.id, step.name)}</span>
      <span className={`rk-note rk-push ${classes.state}`}>{t(`states.${step.state}`)}</span>
      <span className={classes.duration}>{duration}</span>
    </li>
  )
}

function Lines({ lines, onLeave }: { lines: LoggedOperation['lines']; onLeave: (() => void) | undefined }) {
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
  if (lines.length === 0) return <Text {...note}>{t('noLines')}</Text>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section ref={box} className={classes.lines} aria-label={t('log')} tabIndex={0} onScroll={noteScroll}>
      <LatestLines lines={lines}>
        {(line) => (
          <div key={line.n} className={classes.line} data-level={line.level}>
            <time dateTime={line.at} title={formatMoment(line.at)}>
              {formatRecent(line.at)}
            </time>
            <span>
              <LineText line={line} onLeave={onLeave} />
            </span>
          </div>
        )}
      </LatestLines>
    </section>
  )
}
