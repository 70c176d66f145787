/** The call with which operators change their own password. */

import { because, fieldError, type Routes } from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import type { Database } from '#platform/database.ts'
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
        const { numUpdatedRows } = await tx
          .updateTable('operators')
          .set({ passwordHash })
          .where('id', '=', caller.operatorId)
          .where('passwordHash', '=', oldHash)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
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

/** Throttled like a sign-in, so that nobody can use an unattended session to guess. @returns the hash that matched */
async function checkOldPassword(
  { db }: Database,
  { body, caller, address, requestId }: Call<Routes['changePassword']>,
  attempt: Attempt,
): Promise<string> {
  const { passwordHash } = await db
    .selectFrom('operators')
    .select('passwordHash')
    .where('id', '=', caller.operatorId)
    .executeTakeFirstOrThrow()
  if (await checkPassword(attempt, body.oldPassword, passwordHash)) return passwordHash
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
