import { Button, Portal } from '@mantine/core'
import { IconActivity } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { usePollInterval } from '#api/events.ts'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { openDialog, useOpenDialogs } from '#ui/dialog/open-dialogs.ts'
import { useNumberFormat } from '#ui/format.ts'
import { onDemand } from '#ui/on-demand.tsx'
import { closeOperations, openOperations, useIsPanelOpen } from './open-panel.ts'
import { runningOperationsQuery } from './queries.ts'
import classes from './RunningOperations.module.css'

const OperationsPanel = onDemand(() => import('./OperationsPanel.tsx'), 'OperationsPanel')

/** The number of running operations; opens a panel with their progress. */
export function RunningOperations() {
  const { t } = useTranslation('operations')
  const count = useRunningCount()
  const number = useNumberFormat()
  const label = t('running', { count })
  const isOpen = useIsPanelOpen()
  useEffect(() => {
    if (isOpen) return openDialog(<OperationsPanel />, { outlastsPage: true, onClose: closeOperations })
  }, [isOpen])
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      px="xs"
      className="rk-header-button"
      c={count > 0 ? 'var(--rk-accent-text)' : undefined}
      fw={count > 0 ? 600 : 500}
      leftSection={<IconActivity size={18} stroke={1.7} aria-hidden />}
      aria-label={label}
      title={label}
      onClick={openOperations}
    >
      {number.format(count)}
    </Button>
  )
}

function useRunningCount(): number {
  const refetchInterval = usePollInterval()
  const { data } = useQuery({ ...runningOperationsQuery, refetchInterval })
  useRefetchOnEvents(['operations'], ({ type }) => type === 'operation')
  return data?.length ?? 0
}

/** Over open dialogs, which cover the header: the number of running operations; opens the panel above the dialog. */
export function OperationsIndicator() {
  const { t } = useTranslation('operations')
  const count = useRunningCount()
  const number = useNumberFormat()
  const isPanelOpen = useIsPanelOpen()
  const areOpen = useOpenDialogs().some(({ phase }) => phase === 'open')
  if (!areOpen || isPanelOpen || count === 0) return null
  const label = t('indicator', { count })
  return (
    <Portal>
      <aside aria-label={t('title')} className={classes.indicator}>
        <Button
          variant="subtle"
          size="xs"
          px="xs"
          leftSection={<IconActivity size={18} stroke={1.7} aria-hidden />}
          aria-label={label}
          title={`${label} (Ctrl+.)`}
          onClick={openOperations}
        >
          {number.format(count)}
        </Button>
      </aside>
    </Portal>
  )
}
