import { createFileRoute, redirect } from '@tanstack/react-router'
import { clearStoredLists } from '#api/stored-lists.ts'
import { clearLeftover, readToken } from '#api/token.ts'
import { SignInPage } from '#session/index.ts'

export const Route = createFileRoute('/project/operator')({
  beforeLoad: async () => {
    clearLeftover()
    // Without a saved cookie, the form is shown at once and the rest is loaded while it is filled in.
    if (readToken() === null) {
      // A cookie that went by its age while no tab was open has ended a session that nobody saw end.
      clearStoredLists()
      return
    }
    const { findOperator } = await import('#session/session.ts')
    const operator = await findOperator()
    if (operator === null) return
    throw redirect({ to: operator.secondFactor ? '/project/mfa_okta' : '/project/administration', replace: true })
  },
  component: SignInPage,
})
