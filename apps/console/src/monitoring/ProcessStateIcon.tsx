import { Tooltip } from '@mantine/core'
import type { OperationState } from '@roomkeeper/contract'
import { IconBan, IconCircleCheck, IconCircleX, IconClock, IconLoader2, IconRotate } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './Monitoring.module.css'

const icons = {
  waiting: IconClock,
  running: IconLoader2,
  cancelling: IconRotate,
  done: IconCircleCheck,
  failed: IconCircleX,
  cancelled: IconBan,
} as const satisfies Record<OperationState, unknown>

/** How a process stands, by shape and colour; its word is the icon's name and tooltip. */
export function ProcessStateIcon({ state }: { state: OperationState }) {
  const { t } = useTranslation('monitoring')
  const Icon = icons[state]
  const word = t(`states.${state}`)
  return (
    <Tooltip label={word}>
      <Icon size={16} stroke={2} className={classes.icon ?? ''} data-state={state} role="img" aria-label={word} />
    </Tooltip>
  )
}
