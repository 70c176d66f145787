import { createFileRoute, redirect } from '@tanstack/react-router'
import { SecondFactorPage } from '#session/SecondFactorPage.tsx'

export const Route = createFileRoute('/project/mfa_okta')({
  beforeLoad: async () => {
    const { findOperator } = await import('#session/session.ts')
    if ((await findOperator()) === null) throw redirect({ to: '/project/operator', replace: true })
  },
  component: SecondFactorPage,
})
