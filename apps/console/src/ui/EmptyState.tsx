import { Button } from '@mantine/core'
import { type IconDoor, IconSearchOff } from '@tabler/icons-react'
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

/** Shown instead of a list: nothing yet, no match, or could not load. */
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
  /** Names the button that gives up what is searched for. */
  reset: string
  onReset: () => void
  /** In dialogs the button is small. */
  size?: 'xs' | 'sm'
}

/** Stands where nothing matches the search or the filter. */
export function NoMatch({ title, text, reset, onReset, size = 'sm' }: NoMatchProps) {
  const button = (
    <Button size={size} variant="default" onClick={onReset}>
      {reset}
    </Button>
  )
  return <EmptyState icon={IconSearchOff} title={title} text={text} action={button} />
}
