/** API tokens as operators see, make and revoke them, who calls with one, and how long they are kept. */
import { randomUUID } from 'node:crypto'
import {
  type ApiToken,
  fieldError,
  mostTokenDays,
  type TokenDraft,
  type TokenRefusal,
  usualTokenDays,
} from '@roomkeeper/contract'
import { actorOf, lowerRole, roleAllows } from '@roomkeeper/rules'
import { changedFields, recordChange } from '#changes/index.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { databaseTime } from '#platform/database-time.ts'
import { type Caller, type Handlers, noContent, ok } from '#platform/http/handler.ts'
import { isHostOrNetwork } from '#platform/networks.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import { steadyTime } from '#platform/steady-time.ts'
import { hashToken } from '../sessions.ts'
import { newTokenText } from './token-text.ts'

type TokenHandlers = Pick<Handlers, 'whoCalls' | 'tokens' | 'createToken' | 'revokeToken'>

/** The limit is per operator, and does not count revoked tokens. */
const mostTokens = 100
const millisecondsPerDay = 24 * 60 * 60 * 1000
/** How far the clock of a caller who asks for the longest time may be ahead. */
const clockMilliseconds = 60 * 60 * 1000
const audited = ['role', 'expiresAt', 'networks'] as const

export function tokenHandlers(database: Database): TokenHandlers {
  const { db } = database
  return {
    whoCalls: async ({ caller: { email, name, role, token } }) => ok({ email, name, role, token }),
    tokens: async ({ caller }) => {
      const rows = await queryRows<Row>(db, `${visibleTokens} order by o.email, t.created_at desc, t.id`, [
        seenBy(caller),
      ])
      return ok(rows.map(presentFor(caller)))
    },
    async createToken({ body, caller, requestId }) {
      const token = newTokenText()
      const now = (await databaseTime(db)).getTime()
      const { name, role, networks, expiresAt } = valuesOf(body, caller, now)
      const made = await uniqueName(body.name, () =>
        database.transaction(async (tx) => {
          await checkPlaces(tx, caller)
          const id = randomUUID()
          await queryRows(
            tx,
            `insert into api_tokens (id, operator_id, token_hash, name, role, networks, expires_at)
             values ($1, $2, $3, $4, $5, $6, $7)`,
            [id, caller.operatorId, hashToken(token), name, role, networks, expiresAt],
          )
          const row = await lockToken(tx, id, caller)
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
 * Keeps tokens that no longer count for a while, so that operators see their use. A token whose use is being recorded
 * stays until the next time.
 */
export async function removeOldTokens(db: Db): Promise<void> {
  await queryRows(
    db,
    `delete from api_tokens where id in (
       select id from api_tokens where least(revoked_at, expires_at) < ${steadyTime} - make_interval(days => $1)
           or id in (
             select id from (
               select id, row_number() over (partition by operator_id order by revoked_at desc, id) as place
                 from api_tokens where revoked_at is not null) as revoked
              where place > $2 and ${steadyTime} is not null)
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
  const accounts = await queryRows(tx, 'select from operators where id = $1 for update', [operatorId])
  if (accounts.length === 0) throw refuse('session-expired')
  const [{ kept } = { kept: 0 }] = await queryRows<{ kept: number }>(
    tx,
    'select count(*)::int as kept from api_tokens where operator_id = $1 and revoked_at is null',
    [operatorId],
  )
  if (kept >= mostTokens) throw refuse('too-many-tokens', { max: mostTokens })
}

/** What is revoked already stays so. @throws Refusal `token-unknown` */
async function revoke(tx: Tx, id: string, caller: Caller, requestId: string): Promise<void> {
  const row = await lockToken(tx, id, caller)
  if (row.state === 'revoked') return
  await queryRows(tx, 'update api_tokens set revoked_at = steady_now() where id = $1', [id])
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

interface Row extends Omit<ApiToken, 'isOwn' | 'refused'> {
  operatorId: string
  refusedTimes: number
  refusedAt: string | null
  refusedFrom: string | null
  refusedWhy: TokenRefusal | null
}

const visibleTokens = `
  select t.id, t.operator_id, t.name, t.role, o.email as owner, t.networks,
         case when t.revoked_at is not null then 'revoked' when t.expires_at <= now() then 'expired' else 'active' end
           as state,
         t.created_at, t.expires_at, t.last_used_at, t.last_used_from,
         t.refused_times, t.refused_at, t.refused_from, t.refused_why
    from api_tokens t join operators o on o.id = t.operator_id
   where ($1::uuid is null or t.operator_id = $1)`

/** @returns the operator whose tokens the caller sees; null if the caller sees all tokens */
function seenBy({ operatorId, role }: Caller): string | null {
  return roleAllows(role, 'super') ? null : operatorId
}

/** Locks it until the transaction ends. @throws Refusal `token-unknown`, for those of others that the caller may not see, too */
async function lockToken(tx: Tx, id: string, caller: Caller): Promise<Row> {
  const [row] = await queryRows<Row>(tx, `${visibleTokens} and t.id = $2 for update of t`, [seenBy(caller), id])
  if (row === undefined) throw refuse('token-unknown')
  return row
}

const presentFor =
  (caller: Caller) =>
  ({ operatorId, refusedTimes, refusedAt, refusedFrom, refusedWhy, ...shown }: Row): ApiToken => ({
    ...shown,
    isOwn: operatorId === caller.operatorId,
    refused:
      refusedAt === null || refusedFrom === null || refusedWhy === null
        ? null
        : { times: refusedTimes, lastAt: refusedAt, lastFrom: refusedFrom, why: refusedWhy },
  })
