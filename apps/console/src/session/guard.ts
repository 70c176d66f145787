/** Who may open which page. */
import type { Access, OperatorSession } from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import { redirect } from '@tanstack/react-router'
import { readToken } from '#api/token.ts'
import { announceExpiry, findOperator } from './session.ts'

/** Lets signed-in operators through; everybody else signs in first and comes back to `href` then. */
export async function requireOperator(href: string): Promise<OperatorSession> {
  const hadCookie = readToken() !== null
  const operator = await findOperator()
  if (operator === null) {
    if (hadCookie) announceExpiry()
    throw redirect({ to: '/project/operator', state: { returnTo: href } })
  }
  if (operator.secondFactor) throw redirect({ to: '/project/mfa_okta', state: { returnTo: href } })
  return operator
}

/** Lets operators with this access through; everybody else goes to the list. */
export function requireAccess({ role }: OperatorSession, access: Access): void {
  if (!roleAllows(role, access)) throw redirect({ to: '/project/administration', replace: true })
}
