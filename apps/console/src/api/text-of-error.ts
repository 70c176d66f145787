import { ProblemError, type RefusalCode } from '@roomkeeper/contract'
import { CancelledError } from '@tanstack/react-query'
import i18next from 'i18next'
import { textOfProblem } from '#ui/coded-text.ts'

/** The text for a failed call: why the server refused it, or why the server could not be reached. */
export function textOf(error: unknown): string {
  if (error instanceof ProblemError) return textOfProblem(error.problem)
  if (error instanceof TypeError) return i18next.t('app:error.unreachable')
  return i18next.t('app:error.unexpected')
}

/** Whether the server refused the call with this code. */
export function isRefusal(error: unknown, code: RefusalCode): boolean {
  return error instanceof ProblemError && error.problem.type === `urn:roomkeeper:${code}`
}

/**
 * Whether the call failed because the session has ended, which is shown once, elsewhere. The cache is emptied then,
 * which cancels what is being fetched.
 */
export function isSessionEnd(error: unknown): boolean {
  return error instanceof CancelledError || (error instanceof ProblemError && error.problem.status === 401)
}
