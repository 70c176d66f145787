import { Button } from '@mantine/core'
import { type IconDoor, IconSearchOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'

interface EmptyStateProps {
  icon: typeof IconDoor
  title: string
  text: string
  /** The button for the one thing to do about it. */
  action?: ReactNode
  /** Something went wrong; announced to screen readers as an alert. */
  isError?: boolean
}

/** Shown instead of a list that is empty, has no match or could not be loaded. */
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

interface NoMatchProps {
  title: string
  text: string
  /** The label of the button that resets the search. */
  reset: string
  onReset: () => void
  /** Use `xs` in dialogs. */
  size?: 'xs' | 'sm'
}

/** Shown if nothing matches the search or the filter. */
export function NoMatch({ title, text, reset, onReset, size = 'sm' }: NoMatchProps) {
  const button = (
    <Button size={size} variant="default" onClick={onReset}>
      {reset}
    </Button>
  )
  return <EmptyState icon={IconSearchOff} title={title} text={text} action={button} />
}
