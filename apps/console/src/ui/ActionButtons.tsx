import { ActionIcon, Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './ActionButtons.module.css'

interface ButtonWithReasonProps extends ButtonProps {
  /** Why the button is disabled; null if it is enabled. */
  why: string | null
  onClick: () => void
  'aria-label'?: string
  'data-autofocus'?: true | undefined
  children: ReactNode
}

/** A button that stays focusable while disabled, so that the reason can be read. */
export function ButtonWithReason({ why, onClick, ...rest }: ButtonWithReasonProps) {
  const isDisabled = why !== null
  return (
    <Tooltip label={why} disabled={!isDisabled}>
      <Button
        {...rest}
        data-disabled={isDisabled}
        aria-disabled={isDisabled}
        onClick={isDisabled ? undefined : onClick}
      />
    </Tooltip>
  )
}

interface IconActionProps {
  label: string
  icon: Icon
  /** Why the button is disabled; null if it is enabled. */
  why?: string | null
  isBusy?: boolean
  onClick: () => void
}

/** An action on a row. Stays focusable while disabled, so that the reason can be read. */
export function IconAction({ label, icon: Icon, why = null, isBusy = false, onClick }: IconActionProps) {
  const isDisabled = why !== null
  return (
    <Tooltip label={why ?? label}>
      <ActionIcon
        size={28}
        className={classes.action}
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
