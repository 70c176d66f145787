/** The second factor: a code from the identity provider completes a session that is waiting for it. */
import { because, fieldError, type SecondFactor } from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import type { Database } from '#platform/database.ts'
import { type Handlers, ok } from '#platform/http/handler.ts'
import { Refusal, refuse, refuseInput } from '#platform/refuse.ts'
import { confirmAccount } from './account-routes.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { describe } from './session-routes.ts'
import { completeSecondFactor, findSessionQuietly } from './sessions.ts'
import { countAttempt } from './sign-in-throttle.ts'

/** @param publicUrl the URL under which browsers reach the console, with a slash at its end; null to trust the Host header of each call */
export function secondFactorHandlers(
  database: Database,
  provider: IdentityProvider,
  publicUrl: string | null,
): Pick<Handlers, 'completeSecondFactor'> {
  return {
    async completeSecondFactor({ body, caller, requestId, address, header }) {
      // Repeating the call is allowed, because the answer to the first one may have been lost.
      if (!caller.awaitsSecondFactor) return ok(describe(caller))
      if (!provider.on) throw refuse('second-factor-off')
      checkRedirectUri(body, publicUrl, header('host'))
      const attempt = await countAttempt(database.db, caller.email, address)
      try {
        // A valid sign-in at the provider is not enough: it must be this operator's.
        await provider.confirm(caller.email, body)
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'second-factor-refused') await attempt.takeBack()
        else {
          const failed = {
            actor: caller.actor,
            kind: 'operator.second-factor-failed' as const,
            detail: because('audit-from', { address }),
          }
          await recordChange(database.db, { ...failed, requestId })
        }
        throw error
      }
      await attempt.succeeded()
      await database.transaction(async (tx) => {
        if (!(await completeSecondFactor(tx, caller.tokenHash))) return
        await confirmAccount(tx, { id: caller.operatorId, actor: caller.actor, requestId })
        const done = {
          actor: caller.actor,
          kind: 'operator.second-factor' as const,
          detail: because('audit-from', { address }),
        }
        await recordChange(tx, { ...done, requestId })
      })
      // A change of the account may have ended the session while the provider was asked.
      if ((await findSessionQuietly(database.db, caller.tokenHash)) === null) throw refuse('session-expired')
      return ok({ ...describe(caller), secondFactor: false })
    },
  }
}

/** Ensures that only codes that were sent to the console's own screen are redeemed. */
function checkRedirectUri({ redirectUri }: SecondFactor, publicUrl: string | null, host: string | undefined): void {
  const given = new URL(redirectUri)
  const base = publicUrl ?? (given.host === host ? `${given.origin}/` : null)
  if (base !== null && redirectUri === `${base}project/mfa_okta`) return
  throw refuseInput([fieldError('redirectUri', 'redirect-elsewhere')])
}
