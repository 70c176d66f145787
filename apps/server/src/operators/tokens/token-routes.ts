/** API tokens as operators see, make and revoke them, who calls with one, and how long they are kept. */
import {
  type ApiToken,
  fieldError,
  mostTokenDays,
  type TokenDraft,
  type TokenState,
  usualTokenDays,
} from '@roomkeeper/contract'
import { actorOf, lowerRole, roleAllows } from '@roomkeeper/rules'
import { sql } from 'kysely'
import { changedFields, recordChange } from '#changes/index.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { databaseTime } from '#platform/database-time.ts'
import { type Caller, type Handlers, noContent, ok } from '#platform/http/handler.ts'
import { isHostOrNetwork } from '#platform/networks.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import { hashToken } from '../sessions.ts'
import { newTokenText } from './token-text.ts'

type TokenHandlers = Pick<Handlers, 'whoCalls' | 'tokens' | 'createToken' | 'revokeToken'>

/** Of one operator, without those that were revoked. */
const mostTokens = 100
const millisecondsPerDay = 24 * 60 * 60 * 1000
/** By how much the clock of who asks for the longest time may be ahead. */
const clockMilliseconds = 60 * 60 * 1000
const audited = ['role', 'expiresAt', 'networks'] as const

export function tokenHandlers(database: Database): TokenHandlers {
  const { db } = database
  return {
    whoCalls: async ({ caller: { email, name, role, token } }) => ok({ email, name, role, token }),
    tokens: async ({ caller }) => ok((await tokensFor(db, caller).execute()).map(presentFor(caller))),
    async createToken({ body, caller, requestId }) {
      const token = newTokenText()
      const now = (await databaseTime(db)).getTime()
      const values = { ...valuesOf(body, caller, now), operatorId: caller.operatorId, tokenHash: hashToken(token) }
      const made = await uniqueName(body.name, () =>
        database.transaction(async (tx) => {
          await checkPlaces(tx, caller)
          const { id } = await tx.insertInto('apiTokens').values(values).returning('id').executeTakeFirstOrThrow()
          const row = await tokensFor(tx, caller).where('apiTokens.id', '=', id).executeTakeFirstOrThrow()
          const changes = changedFields(audited, null, { ...row, networks: row.networks.join(', ') || null })
          await recordChange(tx, { actor: caller.actor, kind: 'token.create', detail: row.name, changes, requestId })
          return row
        }),
      )
      return ok({ ...presentFor(caller)(made), token })
    },
    async revokeToken({ params, caller, requestId }) {
      await database.transaction((tx) => revoke(tx, params.id, caller, requestId))
      return noContent
    },
  }
}

const keptDays = 30
/** The newest ones of an operator. */
const revokedKept = 100

/**
 * Those that count no more are kept for a while, so that it is seen when somebody tries them. One whose try is recorded
 * at this moment waits for the next time.
 */
export async function removeOldTokens(db: Db): Promise<void> {
  await queryRows(
    db,
    `delete from api_tokens where id in (
       select id from api_tokens where least(revoked_at, expires_at) < now() - make_interval(days => $1)
           or id in (
             select id from (
               select id, row_number() over (partition by operator_id order by revoked_at desc, id) as place
                 from api_tokens where revoked_at is not null) as revoked
              where place > $2)
          for update skip locked)`,
    [keptDays, revokedKept],
  )
}

/** @throws Refusal `invalid-input` */
function valuesOf({ name, role, expiresAt, networks: given }: TokenDraft, caller: Caller, now: number) {
  const networks = [...new Set(given.map((network) => network.toLowerCase()))]
  const until = expiresAt === undefined ? now + usualTokenDays * millisecondsPerDay : Date.parse(expiresAt)
  const latest = now + mostTokenDays * millisecondsPerDay + clockMilliseconds
  const errors = [
    ...(lowerRole(role, caller.role) === role
      ? []
      : [fieldError('role', 'token-role-above-own', { role: caller.role })]),
    ...(until > now && until <= latest
      ? []
      : [fieldError('expiresAt', 'token-expiry-out-of-range', { days: mostTokenDays })]),
    ...networks
      .filter((network) => !isHostOrNetwork(network))
      .map((network) => fieldError('networks', 'network-invalid', { given: network })),
  ]
  if (errors.length > 0) throw refuseInput(errors)
  return { name, role, networks, expiresAt: new Date(until).toISOString() }
}

/**
 * Locks the account, so that two calls at once do not both take the last place.
 * @throws Refusal `too-many-tokens`; `session-expired` if the account is gone by now
 */
async function checkPlaces(tx: Tx, { operatorId }: Caller): Promise<void> {
  const account = tx.selectFrom('operators').select('id').where('id', '=', operatorId).forUpdate()
  if ((await account.executeTakeFirst()) === undefined) throw refuse('session-expired')
  const { count } = await tx
    .selectFrom('apiTokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('operatorId', '=', operatorId)
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= mostTokens) throw refuse('too-many-tokens', { max: mostTokens })
}

/** What is revoked already stays so. @throws Refusal `token-unknown`, for those of others that the caller may not see, too */
async function revoke(tx: Tx, id: string, caller: Caller, requestId: string): Promise<void> {
  const row = await tokensFor(tx, caller).where('apiTokens.id', '=', id).forUpdate('apiTokens').executeTakeFirst()
  if (row === undefined) throw refuse('token-unknown')
  if (row.revokedAt !== null) return
  await tx
    .updateTable('apiTokens')
    .set(({ fn }) => ({ revokedAt: fn<string>('now') }))
    .where('id', '=', id)
    .execute()
  const detail = row.operatorId === caller.operatorId ? row.name : actorOf(row.owner, row.name)
  await recordChange(tx, { actor: caller.actor, kind: 'token.revoke', detail, requestId })
}

async function uniqueName<T>(name: string, change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    throw violatesUnique(error, 'api_tokens_name') ? refuse('token-name-taken', { name }) : error
  }
}

/** The own ones, and for CLOUD_ADMINISTRATORs those of everybody. By owner, the newest first. */
function tokensFor(db: Db | Tx, caller: Pick<Caller, 'operatorId' | 'role'>) {
  const all = db
    .selectFrom('apiTokens')
    .innerJoin('operators', 'operators.id', 'apiTokens.operatorId')
    .selectAll('apiTokens')
    .select('operators.email as owner')
    .select(
      sql<TokenState>`case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired'
      else 'active' end`.as('state'),
    )
    .orderBy('operators.email')
    .orderBy('apiTokens.createdAt', 'desc')
    .orderBy('apiTokens.id')
  return roleAllows(caller.role, 'super') ? all : all.where('apiTokens.operatorId', '=', caller.operatorId)
}

type Row = Awaited<ReturnType<ReturnType<typeof tokensFor>['executeTakeFirstOrThrow']>>

const presentFor =
  ({ operatorId }: Pick<Caller, 'operatorId'>) =>
  (row: Row): ApiToken => {
    const { id, name, role, owner, networks, state, createdAt, expiresAt, lastUsedAt, lastUsedFrom } = row
    const shown = { id, name, role, owner, networks, state, createdAt, expiresAt, lastUsedAt, lastUsedFrom }
    return { ...shown, isOwn: row.operatorId === operatorId, refused: refusedOf(row) }
  }

function refusedOf({ refusedTimes: times, refusedAt: lastAt, refusedFrom: lastFrom, refusedWhy: why }: Row) {
  return lastAt === null || lastFrom === null || why === null ? null : { times, lastAt, lastFrom, why }
}
