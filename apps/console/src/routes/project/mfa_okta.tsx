import { createFileRoute, redirect } from '@tanstack/react-router'
import { SecondFactorPage } from '#session/index.ts'

export const Route = createFileRoute('/project/mfa_okta')({
  beforeLoad: async () => {
    const { findOperator } = await import('#session/session.ts')
    const operator = await findOperator()
    if (operator === null) throw redirect({ to: '/project/operator', replace: true })
    if (!operator.secondFactor) throw redirect({ to: '/project/administration', replace: true })
    return { operator }
  },
  component: SecondFactor,
})

function SecondFactor() {
  const { operator } = Route.useRouteContext()
  return <SecondFactorPage operator={operator} />
}
