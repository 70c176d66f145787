/** For what goes on after a call: streams that stay open, links that a browser follows without a header. */
import { type Access, rolesWith } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'
import type { Caller } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { findSessionQuietly, findSessionsNotEnded, findSessionsQuietly } from './sessions.ts'
import { callerWith, type KnownToken, knownTokens, refusalBecause, whyRefused } from './tokens/known-token.ts'

interface Reader {
  caller: Caller
  address: string
}

/** The readers whose session or API token has lost its access since the call, or has another role. */
export function whoHasGone<Of extends Reader>(db: Db, readers: readonly Of[]): Promise<Set<Of>> {
  return whoIsNotAmong(db, readers, findSessionsQuietly)
}

/** The same, but a session counts until it is ended, however long it has been idle. */
export function whoLostAccess<Of extends Reader>(db: Db, readers: readonly Of[]): Promise<Set<Of>> {
  return whoIsNotAmong(db, readers, findSessionsNotEnded)
}

async function whoIsNotAmong<Of extends Reader>(
  db: Db,
  readers: readonly Of[],
  find: (db: Db, tokenHashes: readonly Buffer[]) => Promise<{ tokenHash: Buffer }[]>,
): Promise<Set<Of>> {
  const hashes = [...new Map(readers.map(({ caller }) => [keyOf(caller), caller.tokenHash])).values()]
  const sessions = new Set((await find(db, hashes)).map(keyOf))
  const tokens = new Map((await findTokens(db, hashes)).map((token) => [keyOf(token), token]))
  const lives = ({ caller, address }: Reader) => {
    if (caller.token === null) return sessions.has(keyOf(caller))
    const token = tokens.get(keyOf(caller))
    return token !== undefined && whyRefused(token, address) === null && callerWith(token).role === caller.role
  }
  return new Set(readers.filter((reader) => !lives(reader)))
}

function keyOf({ tokenHash }: { tokenHash: Buffer }): string {
  return tokenHash.toString('hex')
}

/**
 * Requires that the caller who asked for a link may still do so. The check does not count as activity of a session.
 * @param tokenHash of the session or the API token that asked for it
 * @param access of the call that gave the link
 * @throws Refusal `session-expired`, `second-factor-missing`, `token-refused`, `token-from-elsewhere`, `not-allowed`
 */
export async function requireLiveCaller(
  db: Db,
  tokenHash: Buffer,
  access: Exclude<Access, 'public'>,
  address: string,
): Promise<Caller> {
  const caller = (await findSessionQuietly(db, tokenHash)) ?? (await findCallerWithToken(db, tokenHash, address))
  if (caller === null) throw refuse('session-expired')
  if (caller.awaitsSecondFactor) throw refuse('second-factor-missing')
  if (!rolesWith[access].includes(caller.role)) throw refuse('not-allowed')
  return caller
}

async function findCallerWithToken(db: Db, tokenHash: Buffer, address: string): Promise<Caller | null> {
  const [token] = await findTokens(db, [tokenHash])
  if (token === undefined) return null
  const why = whyRefused(token, address)
  if (why !== null) throw refusalBecause(why)
  return callerWith(token)
}

function findTokens(db: Db, tokenHashes: readonly Buffer[]): Promise<KnownToken[]> {
  return queryRows(db, knownTokens, [tokenHashes])
}
