/** The call with which operators change their own password. */

import { because, fieldError, type Routes } from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import { type Database, queryRows } from '#platform/database.ts'
import { type Call, type Handlers, noContent } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { Secret } from '#platform/secrets.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import { endOtherSessions } from './sessions.ts'
import { type Attempt, countAttempt } from './sign-in-throttle.ts'

export function passwordHandlers(database: Database): Pick<Handlers, 'changePassword'> {
  return {
    async changePassword(call) {
      const { body, caller, address, requestId } = call
      const attempt = await countAttempt(database.db, caller.email, address)
      const oldHash = await checkOldPassword(database, call, attempt)
      const passwordHash = await hashPassword(new Secret(body.newPassword))
      const isChanged = await database.transaction(async (tx) => {
        // The condition on the old hash: another call may have changed the password while this one checked it.
        const changed = await queryRows(
          tx,
          'update operators set password_hash = $3 where id = $1 and password_hash = $2 returning 1',
          [caller.operatorId, oldHash, passwordHash],
        )
        if (changed.length === 0) return false
        await endOtherSessions(tx, caller.operatorId, caller.tokenHash)
        await recordChange(tx, { actor: caller.actor, kind: 'operator.password-change', requestId })
        return true
      })
      if (!isChanged) throw wrongOldPassword()
      await attempt.succeeded()
      return noContent
    },
  }
}

/**
 * Throttled like a sign-in, so that no one can guess the password in an unattended session.
 * @returns the hash that matched
 */
async function checkOldPassword(
  { db }: Database,
  { body, caller, address, requestId }: Call<Routes['changePassword']>,
  attempt: Attempt,
): Promise<string> {
  const [account] = await queryRows<{ passwordHash: string }>(db, 'select password_hash from operators where id = $1', [
    caller.operatorId,
  ])
  if (account === undefined) throw refuse('session-expired')
  if (await checkPassword(attempt, body.oldPassword, account.passwordHash)) return account.passwordHash
  const failed = {
    actor: caller.actor,
    kind: 'operator.password-change-failed' as const,
    detail: because('audit-from', { address }),
  }
  await recordChange(db, { ...failed, requestId })
  throw wrongOldPassword()
}

function wrongOldPassword() {
  return refuse('wrong-old-password', {}, [fieldError('oldPassword', 'wrong-old-password')])
}
