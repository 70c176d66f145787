import type { IconDoor } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'

interface EmptyStateProps {
  icon: typeof IconDoor
  title: string
  text: string
  /** The one thing to do about it. */
  action?: ReactNode
  /** Something went wrong, so that it is announced. */
  isError?: boolean
}

/** Stands where a list would be: nothing yet, no match, or could not load. */
export function EmptyState({ icon: Icon, title, text, action, isError = false }: EmptyStateProps) {
  return (
    <div className={classes.root} role={isError ? 'alert' : 'status'}>
      <Icon className={classes.icon} size={36} stroke={1.3} aria-hidden />
      <h2>{title}</h2>
      <p>{text}</p>
      {action}
    </div>
  )
}
