import { createContext, use } from 'react'

/** Ends the session and goes to the sign-in. */
export const SignOutContext = createContext<() => void>(() => undefined)

export function useSignOut(): () => void {
  return use(SignOutContext)
}
