import { createFileRoute, redirect } from '@tanstack/react-router'
import { clearStoredLists } from '#api/stored-lists.ts'
import { clearLeftover, readToken } from '#api/token.ts'
import { SignInPage } from '#session/index.ts'

export const Route = createFileRoute('/project/operator')({
  beforeLoad: async ({ location: { state } }) => {
    clearLeftover()
    // Without a saved cookie, the form is shown at once and the rest is loaded while it is filled in.
    if (readToken() === null) {
      // A cookie that expired while no tab was open has ended a session without any tab noticing.
      clearStoredLists()
      return
    }
    const { findOperator } = await import('#session/session.ts')
    const operator = await findOperator()
    if (operator === null) return
    const { returnTo } = state
    if (operator.secondFactor) {
      throw redirect({ to: '/project/mfa_okta', state: returnTo === undefined ? {} : { returnTo }, replace: true })
    }
    // After a reload, when an operator has signed in in another tab meanwhile.
    if (returnTo?.startsWith('/project/')) throw redirect({ href: returnTo, replace: true })
    throw redirect({ to: '/project/administration', replace: true })
  },
  component: SignInPage,
})
