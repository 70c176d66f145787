import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'

interface EmptyStateProps {
  icon: ReactNode
  title: string
  text: string
  /** The one thing to do about it. */
  action?: ReactNode
  /** Something went wrong, so that it is announced. */
  isError?: boolean
}

/** Stands where a list would be: nothing yet, no match, or could not load. */
export function EmptyState({ icon, title, text, action, isError = false }: EmptyStateProps) {
  return (
    <div className={classes.root} role={isError ? 'alert' : 'status'}>
      <div className={classes.icon}>{icon}</div>
      <h2>{title}</h2>
      <p>{text}</p>
      {action}
    </div>
  )
}
