/** Sessions: opaque tokens, stored only as their SHA-256. They end after 30 idle minutes or 12 hours at most. */
import { createHash, randomBytes } from 'node:crypto'
import { actorOf } from '@roomkeeper/rules'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import type { Caller } from '#platform/http/handler.ts'
import { sharedLookUps } from '#platform/shared-reads.ts'

export const idleMinutes = 30
export const maximumHours = 12
const writtenEverySeconds = 30

export interface OpenedSession extends Pick<Caller, 'email' | 'name' | 'role'> {
  /** Shown once and never stored. */
  token: string
}

/**
 * A change of the account that ends its sessions locks the account first. The shared lock waits for it, so that no
 * session is opened with what was true before.
 * @param operator the account, with the hash that the given password matched
 * @returns null if the account is gone or has another password by now
 */
export async function openSession(
  db: Db,
  operator: { id: string; passwordHash: string },
  awaitsSecondFactor: boolean,
): Promise<OpenedSession | null> {
  const token = randomBytes(32).toString('base64url')
  const [opened] = await queryRows<Omit<OpenedSession, 'token'>>(
    db,
    `with operator as (
       select id, email, name, role from operators where id = $1 and password_hash = $2 for share
     ), opened as (
       insert into sessions (operator_id, token_hash, awaits_second_factor) select id, $3, $4 from operator
     )
     select email, name, role from operator`,
    [operator.id, operator.passwordHash, hashToken(token), awaitsSecondFactor],
  )
  return opened === undefined ? null : { token, ...opened }
}

interface SessionRow extends Omit<Caller, 'actor' | 'token'> {
  idleSeconds: number
}

/**
 * The caller who has this token, or null if the session is over.
 * @param activity.background whether the call was made without the operator, so that it does not keep the session alive
 */
export type FindSession = (token: string, activity: { background: boolean }) => Promise<Caller | null>

/** Nothing is kept between calls: a session that was ended, or a role that was taken away, is gone for the next call. */
export function createSessionFinder({ db }: Database): FindSession {
  const lookUp = sharedLookUps(async (hashes: readonly Buffer[]) => {
    const rows = await queryRows<SessionRow>(db, liveSessions, [hashes])
    return hashes.map((hash) => rows.find(({ tokenHash }) => tokenHash.equals(hash)))
  })
  return async (token, activity) => {
    const row = await lookUp(hashToken(token))
    if (row === undefined) return null
    if (!activity.background && row.idleSeconds > writtenEverySeconds) await touch(db, row.tokenHash)
    return callerOf(row)
  }
}

/** Every call runs it first. */
const liveSessions = `
  select s.token_hash, s.operator_id, o.email, o.name, o.role, s.awaits_second_factor,
         extract(epoch from now() - s.last_used_at)::int as idle_seconds
    from sessions s join operators o on o.id = s.operator_id
   where s.token_hash = any($1::bytea[])
     and s.last_used_at > now() - interval '${idleMinutes} minutes'
     and s.created_at between now() - interval '${maximumHours} hours' and now() + interval '1 minute'`

/** Does not count as activity, so it does not keep the session alive. @returns null if the session is over */
export async function findSessionQuietly(db: Db, tokenHash: Buffer): Promise<Caller | null> {
  return (await findSessionsQuietly(db, [tokenHash]))[0] ?? null
}

/** Omits sessions that are over. */
export async function findSessionsQuietly(db: Db, tokenHashes: readonly Buffer[]): Promise<Caller[]> {
  return (await queryRows<SessionRow>(db, liveSessions, [tokenHashes])).map(callerOf)
}

/** Sessions that were not ended, even if they have been idle for too long. */
export function findSessionsNotEnded(db: Db, tokenHashes: readonly Buffer[]): Promise<{ tokenHash: Buffer }[]> {
  return queryRows(db, 'select token_hash from sessions where token_hash = any($1::bytea[])', [tokenHashes])
}

function callerOf({ idleSeconds: _, ...row }: SessionRow): Caller {
  return { ...row, actor: actorOf(row.email, null), token: null }
}

/** Calls that come at once wait for the first of them, and need not write it again. */
async function touch(db: Db, tokenHash: Buffer): Promise<void> {
  await queryRows(
    db,
    `update sessions set last_used_at = now()
      where token_hash = $1 and last_used_at < now() - interval '${writtenEverySeconds} seconds'`,
    [tokenHash],
  )
}

export async function endSession(db: Db, tokenHash: Buffer): Promise<void> {
  await queryRows(db, 'delete from sessions where token_hash = $1', [tokenHash])
}

/** @returns false if the session is over or its second factor was already completed */
export async function completeSecondFactor(db: Db | Tx, tokenHash: Buffer): Promise<boolean> {
  const completed = await queryRows(
    db,
    'update sessions set awaits_second_factor = false where token_hash = $1 and awaits_second_factor returning 1',
    [tokenHash],
  )
  return completed.length > 0
}

/** Ends all sessions of an operator except the given one. */
export async function endOtherSessions(tx: Tx, operatorId: string, keptTokenHash: Buffer): Promise<void> {
  await queryRows(tx, 'delete from sessions where operator_id = $1 and token_hash <> $2', [operatorId, keptTokenHash])
}

export async function removeDeadSessions(db: Db): Promise<void> {
  // Expired sessions stay for another day, because a transfer goes on unless its session was ended.
  await queryRows(db, `delete from sessions where created_at < now() - interval '${maximumHours + 24} hours'`)
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
