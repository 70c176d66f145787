/** API tokens as a call finds them. Nothing is kept between calls: what was revoked or taken away is gone for the next. */
import type { Role, TokenRefusal } from '@roomkeeper/contract'
import { actorOf, lowerRole } from '@roomkeeper/rules'
import { type Database, queryRows } from '#platform/database.ts'
import type { Caller } from '#platform/http/handler.ts'
import { isWithin } from '#platform/networks.ts'
import { type Refusal, refuse } from '#platform/refuse.ts'
import { sharedLookUps } from '#platform/shared-reads.ts'

/** With the account of its owner. */
export interface KnownToken {
  id: string
  tokenHash: Buffer
  tokenName: string
  tokenRole: Role
  networks: string[]
  expiresAt: string
  hasExpired: boolean
  isRevoked: boolean
  /** null: never */
  secondsSinceUse: number | null
  operatorId: string
  email: string
  name: string
  role: Role
}

/** Every call with a token runs it first. */
export const knownTokens = `
  select t.id, t.token_hash, t.name as token_name, t.role as token_role, t.networks,
         t.expires_at, t.expires_at <= now() as has_expired, t.revoked_at is not null as is_revoked,
         extract(epoch from now() - t.last_used_at)::int as seconds_since_use,
         t.operator_id, o.email, o.name, o.role
    from api_tokens t join operators o on o.id = t.operator_id
   where t.token_hash = any($1::bytea[])`

export function createTokenFinder({ db }: Database): (tokenHash: Buffer) => Promise<KnownToken | undefined> {
  return sharedLookUps(async (hashes: readonly Buffer[]) => {
    const rows = await queryRows<KnownToken>(db, knownTokens, [hashes])
    return hashes.map((hash) => rows.find(({ tokenHash }) => tokenHash.equals(hash)))
  })
}

/** null: it counts. */
export function whyRefused(token: KnownToken, address: string): TokenRefusal | null {
  if (token.isRevoked) return 'revoked'
  if (token.hasExpired) return 'expired'
  return token.networks.length === 0 || networksHold(token, address) ? null : 'network'
}

/** What the networks of tokens hold, by token: they never change, and to make it takes longer than to ask it. */
const made = new Map<string, (address: string) => boolean>()
const mostMade = 1000

function networksHold({ id, networks }: KnownToken, address: string): boolean {
  const known = made.get(id)
  if (known !== undefined) return known(address)
  const holds = isWithin(networks)
  if (made.size >= mostMade) made.clear()
  made.set(id, holds)
  return holds(address)
}

export function refusalBecause(why: TokenRefusal): Refusal {
  return refuse(why === 'network' ? 'token-from-elsewhere' : 'token-refused')
}

export function callerWith(token: KnownToken): Caller {
  const { id, tokenHash, tokenName, tokenRole, expiresAt, operatorId, email, name, role } = token
  return {
    operatorId,
    email,
    name,
    role: lowerRole(tokenRole, role),
    actor: actorOf(email, tokenName),
    awaitsSecondFactor: false,
    tokenHash,
    token: { id, name: tokenName, expiresAt },
  }
}
