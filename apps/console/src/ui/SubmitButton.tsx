import { Button, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'

interface SubmitButtonProps {
  /** Why nothing can be submitted; null when it can. */
  why: string | null
  isPending: boolean
  children: ReactNode
}

/** Submits the form it stands in, or says what stands against it. */
export function SubmitButton({ why, isPending, children }: SubmitButtonProps) {
  return (
    <Tooltip label={why} disabled={why === null}>
      <Button type="submit" disabled={why !== null} loading={isPending} style={{ pointerEvents: 'auto' }}>
        {children}
      </Button>
    </Tooltip>
  )
}
