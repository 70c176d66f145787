/** For what goes on after a call: streams that stay open, links that a browser follows without a header. */
import { type Access, rolesWith } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'
import type { Caller } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { findSessionQuietly } from './sessions.ts'
import { callerWith, type KnownToken, knownTokens, refusalBecause, whyRefused } from './tokens/known-token.ts'

/** Whether the caller may still do what they might when they called: their session or API token counts, with that role. */
export async function callerLives(db: Db, caller: Caller, address: string): Promise<boolean> {
  if (caller.token === null) return (await findSessionQuietly(db, caller.tokenHash)) !== null
  const token = await findToken(db, caller.tokenHash)
  return token !== undefined && whyRefused(token, address) === null && callerWith(token).role === caller.role
}

/**
 * Requires that whoever asked for a link might still do so. Does not count as activity of a session.
 * @param tokenHash of the session or the API token that asked for it
 * @param access of the call that gave the link
 * @throws Refusal `session-expired`, `second-factor-missing`, `token-refused`, `token-from-elsewhere`, `not-allowed`
 */
export async function requireLiveCaller(
  db: Db,
  tokenHash: Buffer,
  access: Exclude<Access, 'public'>,
  address: string,
): Promise<void> {
  const caller = (await findSessionQuietly(db, tokenHash)) ?? (await findCallerWithToken(db, tokenHash, address))
  if (caller === null) throw refuse('session-expired')
  if (caller.awaitsSecondFactor) throw refuse('second-factor-missing')
  if (!rolesWith[access].includes(caller.role)) throw refuse('not-allowed')
}

async function findCallerWithToken(db: Db, tokenHash: Buffer, address: string): Promise<Caller | null> {
  const token = await findToken(db, tokenHash)
  if (token === undefined) return null
  const why = whyRefused(token, address)
  if (why !== null) throw refusalBecause(why)
  return callerWith(token)
}

async function findToken(db: Db, tokenHash: Buffer): Promise<KnownToken | undefined> {
  return (await queryRows<KnownToken>(db, knownTokens, [[tokenHash]]))[0]
}
