/** Operator accounts. CLOUD_ADMINISTRATORs manage them; at least one such account always exists. */

import { randomBytes } from 'node:crypto'
import type { OperatorAccount } from '@roomkeeper/contract'
import { changedFields, recordChange } from '#changes/index.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
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
const shown = 'id, email, name, role, locked_at'

export function accountHandlers(database: Database): AccountHandlers {
  return {
    operators: async () =>
      ok(await queryRows<OperatorAccount>(database.db, `select ${shown} from operators order by email`)),
    async createOperator({ body, caller, requestId }) {
      const { password, ...account } = body
      const passwordHash = await hashPassword(new Secret(password))
      const made = await uniqueEmail(() =>
        database.transaction(async (tx) => {
          const row = await insertAccount(tx, account, passwordHash)
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
      const passwordHash = password === undefined ? null : await hashPassword(new Secret(password))
      const changed = await uniqueEmail(() =>
        database.transaction(async (tx) => {
          const before = await lockAccount(tx, params.id)
          if (account.role !== 'CLOUD_ADMINISTRATOR') await checkNotLastAdministrator(tx, before, caller)
          await queryRows(
            tx,
            `update operators set email = $2, name = $3, role = $4, password_hash = coalesce($5, password_hash)
              where id = $1`,
            [params.id, account.email, account.name, account.role, passwordHash],
          )
          const row = { ...before, ...account }
          if (passwordHash !== null || before.role !== row.role) await endOtherSessions(tx, params.id, caller.tokenHash)
          const changes = changedFields(['email', 'name', 'role'], before, row)
          // The audit trail records that the password was changed, never its value.
          if (passwordHash !== null) changes.push({ field: 'password', from: hidden, to: hidden })
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
        const account = await lockAccount(tx, params.id)
        await confirmAccount(tx, { id: params.id, actor: caller.actor, requestId })
        return { ...account, lockedAt: null }
      })
      return ok(confirmed)
    },
    async deleteOperator({ params, caller, requestId }) {
      await database.transaction(async (tx) => {
        const account = await lockAccount(tx, params.id)
        await checkNotLastAdministrator(tx, account, caller)
        await queryRows(tx, 'delete from operators where id = $1', [params.id])
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
): Promise<void> {
  const [confirmed] = await queryRows<{ email: string }>(
    tx,
    'update operators set locked_at = null where id = $1 and locked_at is not null returning email',
    [id],
  )
  if (confirmed === undefined) return
  await recordChange(tx, { actor, kind: 'operator.confirm', detail: confirmed.email, requestId })
}

async function insertAccount(
  tx: Tx,
  { email, name, role }: Pick<OperatorAccount, 'email' | 'name' | 'role'>,
  passwordHash: string,
): Promise<OperatorAccount> {
  const [account] = await queryRows<OperatorAccount>(
    tx,
    `insert into operators (email, name, role, password_hash) values ($1, $2, $3, $4) returning ${shown}`,
    [email, name, role, passwordHash],
  )
  if (account === undefined) throw new Error('The insert of an account gave no row.')
  return account
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
  const rows = await queryRows<OperatorAccount>(
    tx,
    `select ${shown} from operators where id = $1 or role = 'CLOUD_ADMINISTRATOR' order by id for update`,
    [id],
  )
  const account = rows.find((row) => row.id === id)
  if (account === undefined) throw refuse('operator-unknown')
  return account
}

/** @throws Refusal `own-account` or `last-administrator` */
async function checkNotLastAdministrator(tx: Tx, account: OperatorAccount, caller: Caller): Promise<void> {
  if (account.role !== 'CLOUD_ADMINISTRATOR') return
  if (account.id === caller.operatorId) throw refuse('own-account')
  const others = await queryRows(
    tx,
    `select from operators where role = 'CLOUD_ADMINISTRATOR' and id <> $1 and locked_at is null limit 1`,
    [account.id],
  )
  if (others.length === 0) throw refuse('last-administrator')
}

export interface FirstAdministrator {
  email: string
  password: Secret
}

/**
 * The first start creates one administrator; later starts do not change the accounts.
 * @param given the password from ADMIN_PASSWORD, if any
 * @param tell called with a generated password before it is stored. If the process then fails, either the password
 *   works or the next start generates another one
 */
export async function makeFirstAdministrator(
  database: Database,
  email: string,
  given: Secret | undefined,
  tell: (made: FirstAdministrator) => void,
): Promise<void> {
  if (await someoneExists(database.db)) return
  const password = given ?? new Secret(randomBytes(15).toString('base64url'))
  const passwordHash = await hashPassword(password)
  await database.transaction(async (tx) => {
    // Two processes may start at once. The table lock makes the second one see the first one's account.
    await queryRows(tx, 'lock table operators in share row exclusive mode')
    if (await someoneExists(tx)) return
    await insertAccount(tx, { email, name: 'Administrator', role: 'CLOUD_ADMINISTRATOR' }, passwordHash)
    await recordChange(tx, { actor: 'system', kind: 'operator.create', detail: email })
    if (given === undefined) tell({ email, password })
  })
}

async function someoneExists(db: Db | Tx): Promise<boolean> {
  return (await queryRows(db, 'select from operators limit 1')).length > 0
}
