import { textOf } from '#api/text-of-error.ts'
import { ProblemAlert } from '../ProblemAlert.tsx'
import { useFormContext } from './form-context.ts'

interface FormFailureProps {
  title: string
  /** Also when all that was refused stands at fields. */
  isAlwaysTold?: boolean
}

/** Why the last attempt to save failed, where no field says it. */
export function FormFailure({ title, isAlwaysTold = false }: FormFailureProps) {
  const { failure } = useFormContext()
  if (failure === null || (failure.isAtFields && !isAlwaysTold)) return null
  return (
    <ProblemAlert title={title} data-wide>
      {textOf(failure.error)}
    </ProblemAlert>
  )
}
