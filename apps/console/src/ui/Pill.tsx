import type { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Pill.module.css'

interface PillProps {
  tone: 'good' | 'bad' | 'warn' | 'busy' | 'quiet'
  icon: typeof IconTrash
  children: ReactNode
}

/** A state by icon, colour and word. */
export function Pill({ tone, icon: Icon, children }: PillProps) {
  return (
    <span className={classes.pill} data-tone={tone}>
      <Icon size={14} stroke={2} aria-hidden />
      {children}
    </span>
  )
}
