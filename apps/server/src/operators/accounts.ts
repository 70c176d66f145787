/** Operator accounts. CLOUD_ADMINISTRATORs manage them; at least one such account always exists. */

import { randomBytes } from 'node:crypto'
import type { OperatorAccount } from '@roomkeeper/contract'
import { changedFields, recordChange } from '#changes/index.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { type Caller, type Handlers, noContent, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { Secret } from '#platform/secrets.ts'
import { hashPassword } from './passwords.ts'
import { endOtherSessions } from './sessions.ts'

type AccountHandlers = Pick<
  Handlers,
  'operators' | 'createOperator' | 'changeOperator' | 'confirmOperator' | 'deleteOperator'
>

const hidden = '••••••••'
const shown = ['id', 'email', 'name', 'role', 'lockedAt'] as const

export function accountHandlers(database: Database): AccountHandlers {
  return {
    operators: async () => ok(await database.db.selectFrom('operators').select(shown).orderBy('email').execute()),
    async createOperator({ body, caller, requestId }) {
      const { password, ...account } = body
      const passwordHash = await hashPassword(new Secret(password))
      const made = await uniqueEmail(() =>
        database.transaction(async (tx) => {
          const row = await tx
            .insertInto('operators')
            .values({ ...account, passwordHash })
            .returning(shown)
            .executeTakeFirstOrThrow()
          const changes = changedFields(['name', 'role'], null, row)
          await recordChange(tx, {
            actor: caller.actor,
            kind: 'operator.create',
            detail: row.email,
            changes,
            requestId,
          })
          return row
        }),
      )
      return ok(made)
    },
    async changeOperator({ params, body, caller, requestId }) {
      const { password, ...account } = body
      const passwordHash = password === undefined ? undefined : await hashPassword(new Secret(password))
      const changed = await uniqueEmail(() =>
        database.transaction(async (tx) => {
          const before = await lockAccount(tx, params.id)
          if (account.role !== 'CLOUD_ADMINISTRATOR') await checkNotLastAdministrator(tx, before, caller)
          const set = passwordHash === undefined ? account : { ...account, passwordHash }
          const row = await tx
            .updateTable('operators')
            .set(set)
            .where('id', '=', params.id)
            .returning(shown)
            .executeTakeFirstOrThrow()
          if (passwordHash !== undefined || before.role !== row.role)
            await endOtherSessions(tx, params.id, caller.tokenHash)
          const changes = changedFields(['email', 'name', 'role'], before, row)
          // The audit trail records that the password was changed, never its value.
          if (passwordHash !== undefined) changes.push({ field: 'password', from: hidden, to: hidden })
          await recordChange(tx, {
            actor: caller.actor,
            kind: 'operator.change',
            detail: row.email,
            changes,
            requestId,
          })
          return row
        }),
      )
      return ok(changed)
    },
    async confirmOperator({ params, caller, requestId }) {
      const confirmed = await database.transaction(async (tx) => {
        await lockAccount(tx, params.id)
        return confirmAccount(tx, { id: params.id, actor: caller.actor, requestId })
      })
      return ok(confirmed)
    },
    async deleteOperator({ params, caller, requestId }) {
      await database.transaction(async (tx) => {
        const account = await lockAccount(tx, params.id)
        await checkNotLastAdministrator(tx, account, caller)
        await tx.deleteFrom('operators').where('id', '=', params.id).execute()
        await recordChange(tx, { actor: caller.actor, kind: 'operator.delete', detail: account.email, requestId })
      })
      return noContent
    },
  }
}

/** Unlocks an account that was locked after a dump was restored; does nothing to others. */
export async function confirmAccount(
  tx: Tx,
  { id, actor, requestId }: { id: string; actor: string; requestId: string },
): Promise<OperatorAccount> {
  const before = await tx
    .selectFrom('operators')
    .select(shown)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (before.lockedAt === null) return before
  await tx.updateTable('operators').set({ lockedAt: null }).where('id', '=', id).execute()
  await recordChange(tx, { actor, kind: 'operator.confirm', detail: before.email, requestId })
  return { ...before, lockedAt: null }
}

async function uniqueEmail<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    throw violatesUnique(error, 'operators_email') ? refuse('email-taken') : error
  }
}

/** Locks the rows of all administrators too, so that two of them cannot demote each other at the same moment. */
async function lockAccount(tx: Tx, id: string): Promise<OperatorAccount> {
  const rows = await tx
    .selectFrom('operators')
    .select(shown)
    .where((is) => is.or([is('id', '=', id), is('role', '=', 'CLOUD_ADMINISTRATOR')]))
    .orderBy('id')
    .forUpdate()
    .execute()
  const account = rows.find((row) => row.id === id)
  if (account === undefined) throw refuse('operator-unknown')
  return account
}

/** @throws Refusal `own-account` or `last-administrator` */
async function checkNotLastAdministrator(tx: Tx, account: OperatorAccount, caller: Caller): Promise<void> {
  if (account.role !== 'CLOUD_ADMINISTRATOR') return
  if (account.id === caller.operatorId) throw refuse('own-account')
  const others = await tx
    .selectFrom('operators')
    .select('id')
    .where('role', '=', 'CLOUD_ADMINISTRATOR')
    .where('id', '!=', account.id)
    .where('lockedAt', 'is', null)
    .limit(1)
    .execute()
  if (others.length === 0) throw refuse('last-administrator')
}

export interface FirstAdministrator {
  email: string
  password: Secret
}

/**
 * The first start creates one administrator; later starts do not change the accounts.
 * @param given the password from ADMIN_PASSWORD, if any
 * @param tell called with a generated password before it is stored. If the process then fails, whoever has read the
 * password can sign in with it, or the next start generates another one
 */
export async function makeFirstAdministrator(
  database: Database,
  email: string,
  given: Secret | undefined,
  tell: (made: FirstAdministrator) => void,
): Promise<void> {
  if (await someoneExists(database)) return
  const password = given ?? new Secret(randomBytes(15).toString('base64url'))
  const passwordHash = await hashPassword(password)
  await database.transaction(async (tx) => {
    // Two processes may start at once. The table lock makes the second one see the first one's account.
    await queryRows(tx, 'lock table operators in share row exclusive mode')
    if ((await tx.selectFrom('operators').select('id').limit(1).execute()).length > 0) return
    await tx
      .insertInto('operators')
      .values({ email, name: 'Administrator', role: 'CLOUD_ADMINISTRATOR', passwordHash })
      .execute()
    await recordChange(tx, { actor: 'system', kind: 'operator.create', detail: email })
    if (given === undefined) tell({ email, password })
  })
}

async function someoneExists({ db }: Database): Promise<boolean> {
  return (await db.selectFrom('operators').select('id').limit(1).executeTakeFirst()) !== undefined
}
