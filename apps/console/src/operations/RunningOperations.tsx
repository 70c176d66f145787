import { Button } from '@mantine/core'
import { IconActivity } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { usePollInterval } from '#api/events.ts'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { useNumberFormat } from '#ui/format.ts'
import { onDemand } from '#ui/on-demand.tsx'
import { onOpenRequest } from './open-panel.ts'
import { runningOperationsQuery } from './queries.ts'
import classes from './RunningOperations.module.css'

const OperationsPanel = onDemand(async () => ({ default: (await import('./OperationsPanel.tsx')).OperationsPanel }))

/** The number of running operations; opens a panel with their progress. */
export function RunningOperations() {
  const { t } = useTranslation('operations')
  const count = useRunningCount()
  const number = useNumberFormat()
  const label = t('running', { count })
  useEffect(() => onOpenRequest(openOperations), [])
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      px={8}
      className={classes.button ?? ''}
      leftSection={<IconActivity size={18} stroke={1.7} aria-hidden />}
      aria-label={label}
      title={label}
      data-busy={count > 0 || undefined}
      onClick={openOperations}
    >
      {number.format(count)}
    </Button>
  )
}

let closePanel: (() => void) | null = null

export function openOperations(): void {
  const onClose = () => {
    closePanel = null
  }
  closePanel ??= openDialog(<OperationsPanel />, { outlastsPage: true, onClose })
}

export function toggleOperations(): void {
  if (closePanel === null) openOperations()
  else closePanel()
}

export function isPanelOpen(): boolean {
  return closePanel !== null
}

export function useRunningCount(): number {
  const refetchInterval = usePollInterval()
  const { data } = useQuery({ ...runningOperationsQuery, refetchInterval })
  useRefetchOnEvents(['operations'], ({ type }) => type === 'operation')
  return data?.length ?? 0
}
