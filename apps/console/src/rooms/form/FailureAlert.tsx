import type { FieldError } from '@roomkeeper/contract'
import { useEffect, useRef } from 'react'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import classes from './form.module.css'
import { useMessages } from './use-messages.ts'

export interface Failure {
  title: string
  text: string | null
  /** Refusals that belong to no input. */
  others: readonly FieldError[]
}

/** Comes into view and gets the focus with each new failure. */
export function FailureAlert({ failure }: { failure: Failure }) {
  const translated = useMessages()
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (failure !== null) alert.current?.focus()
  }, [failure])
  return (
    <ProblemAlert ref={alert} tabIndex={-1} className={classes.alert ?? ''} title={translated(failure.title)}>
      {failure.text}
      {failure.others.map(({ field, message }) => (
        <div key={field}>
          {field}: {message}
        </div>
      ))}
    </ProblemAlert>
  )
}
