import { ActionIcon, Tooltip } from '@mantine/core'
import type { IconTrash } from '@tabler/icons-react'
import classes from './IconAction.module.css'

interface IconActionProps {
  label: string
  icon: typeof IconTrash
  /** Why it cannot be used now; null when it can. */
  why?: string | null
  isBusy?: boolean
  onClick: () => void
}

/** What can be done with a row. Stays focusable while it is disabled, so that the reason can be read. */
export function IconAction({ label, icon: Icon, why = null, isBusy = false, onClick }: IconActionProps) {
  const isDisabled = why !== null
  return (
    <Tooltip label={why ?? label}>
      <ActionIcon
        size={28}
        className={classes.action ?? ''}
        aria-label={isDisabled ? `${label}: ${why}` : label}
        aria-disabled={isDisabled}
        data-disabled={isDisabled}
        loading={isBusy}
        onClick={isDisabled ? undefined : onClick}
      >
        <Icon size={17} stroke={1.7} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
