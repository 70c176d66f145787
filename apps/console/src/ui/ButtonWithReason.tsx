import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'

interface ButtonWithReasonProps extends ButtonProps {
  /** Why it cannot be used now; null when it can. */
  why: string | null
  onClick: () => void
  'aria-label'?: string
  'data-autofocus'?: true | undefined
  children: ReactNode
}

/** A button that stays focusable while it is disabled, so that the reason can be read. */
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
