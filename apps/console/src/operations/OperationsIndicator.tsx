import { Button, Portal } from '@mantine/core'
import { IconActivity } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useOpenDialogs } from '#ui/dialog/open-dialogs.ts'
import { useNumberFormat } from '#ui/format.ts'
import classes from './OperationsIndicator.module.css'
import { isPanelOpen, openOperations, useRunningCount } from './RunningOperations.tsx'

/** Over open dialogs, which cover the header: the number of running operations; opens the panel above the dialog. */
export function OperationsIndicator() {
  const { t } = useTranslation('operations')
  const count = useRunningCount()
  const number = useNumberFormat()
  const areOpen = useOpenDialogs().some(({ phase }) => phase === 'open')
  if (!areOpen || isPanelOpen() || count === 0) return null
  const label = t('indicator', { count })
  return (
    <Portal>
      <aside aria-label={t('title')} className={classes.root}>
        <Button
          variant="default"
          size="xs"
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
