import type { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Pill.module.css'

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'quiet'

interface PillProps {
  tone: Tone
  icon: typeof IconTrash
  isSmall?: boolean
  children: ReactNode
}

/** Shows a state as icon, colour and text. */
export function Pill({ tone, icon: Icon, isSmall = false, children }: PillProps) {
  return (
    <span className={classes.pill} data-tone={tone} data-small={isSmall || undefined}>
      <Icon size={14} stroke={2} aria-hidden />
      {children}
    </span>
  )
}
