/**
 * The calls that sign operators in, with a password and then a second factor, sign them out and describe their session.
 */
import {
  asPlainLine,
  because,
  type CodedReason,
  fieldError,
  type OperatorSession,
  type Role,
  type SecondFactor,
} from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import { type Database, queryRows } from '#platform/database.ts'
import { currentCursor, formatCursor } from '#platform/events.ts'
import { type Caller, type Handlers, noContent, ok } from '#platform/http/handler.ts'
import { Refusal, refuse, refuseInput } from '#platform/refuse.ts'
import { confirmAccount } from './accounts.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { checkPassword } from './passwords.ts'
import { completeSecondFactor, endSession, findSessionQuietly, openSession } from './sessions.ts'
import { countAttempt } from './sign-in-throttle.ts'

type SessionHandlers = Pick<Handlers, 'signIn' | 'checkSession' | 'permissions' | 'signOut' | 'oktaConfig'>

export function sessionHandlers({ db }: Database, provider: IdentityProvider): SessionHandlers {
  return {
    async signIn({ body, address, requestId }) {
      const attempt = await countAttempt(db, body.email, address)
      const operator = await findOperator(db, body.email)
      const matches = await checkPassword(attempt, body.password, operator?.passwordHash)
      if (operator !== undefined && matches && isShut(operator, provider.on)) {
        await attempt.succeeded()
        const detail = because('audit-locked', { address })
        await recordChange(db, { actor: operator.email, kind: 'operator.sign-in-failed', detail, requestId })
        throw refuse('account-locked')
      }
      const session = operator !== undefined && matches ? await openSession(db, operator, provider.on) : null
      if (session === null) {
        const tried = whoTried(body.email, operator?.email, address)
        await recordChange(db, { ...tried, kind: 'operator.sign-in-failed', requestId })
        throw refuse('wrong-credentials')
      }
      await attempt.succeeded()
      await recordChange(db, {
        actor: session.email,
        kind: 'operator.sign-in',
        detail: because('audit-from', { address }),
        requestId,
      })
      return ok({ ...session, secondFactor: provider.on })
    },
    checkSession: async ({ caller }) => ({ ...ok(describe(caller)), headers: await whereEventsAre(db) }),
    permissions: async ({ caller }) => ({ ...ok({ role: caller.role }), headers: await whereEventsAre(db) }),
    async signOut({ caller, requestId }) {
      await endSession(db, caller.tokenHash)
      await recordChange(db, { actor: caller.actor, kind: 'operator.sign-out', requestId })
      return noContent
    },
    oktaConfig: async () => ok({ issuer: provider.issuer, clientId: provider.clientId, on: provider.on }),
  }
}

/** A page reads everything else after this, so its event stream may begin here: no change is missed, and none is told twice. */
async function whereEventsAre(db: Database['db']): Promise<Record<string, string>> {
  return { 'x-last-event-id': formatCursor(await currentCursor(db)) }
}

const emailAddress = /^[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+$/

/**
 * Anyone may type anything, including a text that looks like the actor of an API token.
 * @param account the e-mail address of the account that was meant, if there is one
 */
function whoTried(typed: string, account: string | undefined, address: string): { actor: string; detail: CodedReason } {
  const actor = account ?? (emailAddress.test(typed) ? typed : null)
  if (actor !== null) return { actor, detail: because('audit-from', { address }) }
  return { actor: 'unknown', detail: because('audit-from-as', { address, typed: JSON.stringify(asPlainLine(typed)) }) }
}

/**
 * An account that was locked after a dump was restored is unlocked by its second factor, unless the dump would make it an
 * administrator again.
 */
function isShut({ lockedAt, role }: StoredOperator, hasSecondFactor: boolean): boolean {
  return lockedAt !== null && (!hasSecondFactor || role === 'CLOUD_ADMINISTRATOR')
}

interface StoredOperator {
  id: string
  email: string
  role: Role
  passwordHash: string
  lockedAt: string | null
}

async function findOperator(db: Database['db'], email: string): Promise<StoredOperator | undefined> {
  const [operator] = await queryRows<StoredOperator>(
    db,
    'select id, email, role, password_hash, locked_at from operators where lower(email) = $1',
    [email.toLowerCase()],
  )
  return operator
}

function describe(caller: Caller): OperatorSession {
  return { email: caller.email, name: caller.name, role: caller.role, secondFactor: caller.awaitsSecondFactor }
}

/**
 * A code from the identity provider completes a session that is waiting for its second factor.
 * @param publicUrl the URL under which browsers reach the console, with a slash at its end; null to trust the Host
 * header of each call
 */
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
