/** API tokens as operators see them, and how long they are kept. */
import type { ApiToken, TokenState } from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import { sql } from 'kysely'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import type { Caller } from '#platform/http/handler.ts'

const keptDays = 30
/** The newest ones of an operator. */
const revokedKept = 100

/** The own ones, and for CLOUD_ADMINISTRATORs those of everybody. By owner, the newest first. */
export function tokensFor(db: Db | Tx, caller: Pick<Caller, 'operatorId' | 'role'>) {
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

export const presentFor =
  ({ operatorId }: Pick<Caller, 'operatorId'>) =>
  (row: Row): ApiToken => {
    const { id, name, role, owner, networks, state, createdAt, expiresAt, lastUsedAt, lastUsedFrom } = row
    const shown = { id, name, role, owner, networks, state, createdAt, expiresAt, lastUsedAt, lastUsedFrom }
    return { ...shown, isOwn: row.operatorId === operatorId, refused: refusedOf(row) }
  }

function refusedOf({ refusedTimes: times, refusedAt: lastAt, refusedFrom: lastFrom, refusedWhy: why }: Row) {
  return lastAt === null || lastFrom === null || why === null ? null : { times, lastAt, lastFrom, why }
}

/** Those that count no more are kept for a while, so that it is seen when somebody tries them. */
export async function removeOldTokens(db: Db): Promise<void> {
  await queryRows(
    db,
    `delete from api_tokens where least(revoked_at, expires_at) < now() - make_interval(days => $1)
        or id in (
          select id from (
            select id, row_number() over (partition by operator_id order by revoked_at desc, id) as place
              from api_tokens where revoked_at is not null) as revoked
           where place > $2)`,
    [keptDays, revokedKept],
  )
}
