import { ProblemError } from '@roomkeeper/contract'
import { useEffect, useRef } from 'react'
import { textOf } from '#locales/error-texts.ts'
import { useFormContext } from '#ui/form/resource-form.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'

interface RoomFormFailureProps {
  /** The title of a failure without a text of the server. */
  title: string
  /** Shown after the reason of such a failure. */
  after?: string
}

/** The part of a failure that no field shows. Each new failure scrolls into view and gets the focus. */
export function RoomFormFailure({ title, after = '' }: RoomFormFailureProps) {
  const { failure } = useFormContext()
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (failure !== null) alert.current?.focus()
  }, [failure])
  if (failure === null || failure.isAtFields) return null
  const said = serverText(failure.error)
  return (
    <ProblemAlert ref={alert} tabIndex={-1} title={said ?? title}>
      {said === null && `${textOf(failure.error)} ${after}`.trim()}
      {failure.others.map(({ field, message }) => (
        <div key={field}>
          {field}: {message}
        </div>
      ))}
    </ProblemAlert>
  )
}

/** The server's reason, if it was the server that answered. */
function serverText(error: Error): string | null {
  return error instanceof ProblemError && error.problem.type !== 'about:blank' ? textOf(error) : null
}
