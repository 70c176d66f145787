/** The calls that sign operators in and out and describe their session. */
import { asPlainLine, because, type CodedReason, type OperatorSession, type Role } from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import type { Database } from '#platform/database.ts'
import { currentCursor, formatCursor } from '#platform/events.ts'
import { type Caller, type Handlers, noContent, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { checkPassword } from './check-password.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { endSession, openSession } from './sessions.ts'
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
 * Anybody may type anything, also what looks like the actor of an API token.
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
function isShut({ lockedAt, role }: { lockedAt: string | null; role: Role }, hasSecondFactor: boolean): boolean {
  return lockedAt !== null && (!hasSecondFactor || role === 'CLOUD_ADMINISTRATOR')
}

function findOperator(db: Database['db'], email: string) {
  return db
    .selectFrom('operators')
    .selectAll()
    .where((is) => is(is.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()
}

export function describe(caller: Caller): OperatorSession {
  return { email: caller.email, name: caller.name, role: caller.role, secondFactor: caller.awaitsSecondFactor }
}
