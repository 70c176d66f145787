/** The signed-in operator, and signing out, for the pages of the operator area. */
import type { OperatorSession } from '@roomkeeper/contract'
import { createContext, use } from 'react'

export const OperatorContext = createContext<OperatorSession | null>(null)

/** The signed-in operator. Only inside the operator area. */
export function useOperator(): OperatorSession {
  const operator = use(OperatorContext)
  if (operator === null) throw new Error('useOperator is for the operator area only.')
  return operator
}

/** Ends the session and goes to the sign-in. */
export const SignOutContext = createContext<() => void>(() => undefined)

export function useSignOut(): () => void {
  return use(SignOutContext)
}
