import { type Icon, IconHelpCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Pill.module.css'

/** How a state looks. */
export interface Look {
  tone: 'good' | 'bad' | 'warn' | 'busy' | 'quiet'
  icon: Icon
}

interface PillProps extends Partial<Look> {
  isSmall?: boolean
  /** The text may take several lines. */
  isLong?: boolean
  children: ReactNode
}

/** Shows a state as icon, colour and text. A newer server may know states that have no look here. */
export function Pill({
  tone = 'quiet',
  icon: Icon = IconHelpCircle,
  isSmall = false,
  isLong = false,
  children,
}: PillProps) {
  return (
    <span className={`rk-${tone} ${classes.pill}`} data-small={isSmall || undefined} data-long={isLong || undefined}>
      <Icon size={14} stroke={2} aria-hidden />
      {children}
    </span>
  )
}
