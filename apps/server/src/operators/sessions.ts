/** Sessions: opaque tokens of which only the SHA-256 is stored. They end after 30 idle minutes or 12 hours at most. */
import { createHash, randomBytes } from 'node:crypto'
import { type Access, rolesWith } from '@roomkeeper/contract'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import type { Caller } from '#platform/http/handler.ts'
import { prepared } from '#platform/prepared-statements.ts'
import { refuse } from '#platform/refuse.ts'
import { sharedLookUps } from '#platform/shared-look-ups.ts'

export const idleMinutes = 30
export const maximumHours = 12

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

interface SessionRow extends Caller {
  idleSeconds: number
}

/**
 * The caller who has this token, or null if the session is over.
 * @param activity.background whether the call was made without the operator, so that it does not keep the session alive
 */
export type FindSession = (token: string, activity: { background: boolean }) => Promise<Caller | null>

/** Nothing is kept between calls: a session that was ended, or a role that was taken away, is gone for the next call. */
export function createSessionFinder({ db, pool }: Database): FindSession {
  const lookUp = sharedLookUps(async (hashes: readonly Buffer[]) => {
    const { rows } = await pool.query<SessionRow>(liveSessions, [hashes])
    return hashes.map((hash) => rows.find(({ tokenHash }) => tokenHash.equals(hash)))
  })
  return async (token, activity) => {
    const row = await lookUp(hashToken(token))
    if (row === undefined) return null
    const { idleSeconds, ...caller } = row
    if (!activity.background && idleSeconds > 30) await touch(db, caller.tokenHash)
    return caller
  }
}

/** Every call runs it first. */
const liveSessions = prepared(`
  select s.token_hash as "tokenHash", s.operator_id as "operatorId", o.email, o.name, o.role,
         s.awaits_second_factor as "awaitsSecondFactor",
         extract(epoch from now() - s.last_used_at)::int as "idleSeconds"
    from sessions s join operators o on o.id = s.operator_id
   where s.token_hash = any($1::bytea[])
     and s.last_used_at > now() - interval '${idleMinutes} minutes'
     and s.created_at > now() - interval '${maximumHours} hours'`)

/** For streams that stay open. Does not count as activity, so it does not keep the session alive. */
export async function sessionLives(db: Db, tokenHash: Buffer): Promise<boolean> {
  return (await queryRows(db, liveSessions, [[tokenHash]])).length > 0
}

async function touch(db: Db, tokenHash: Buffer): Promise<void> {
  await queryRows(db, 'update sessions set last_used_at = now() where token_hash = $1', [tokenHash])
}

/**
 * The caller whose session this is, for links that a browser follows without its token. Does not count as activity.
 * @param access of the call that gave the link
 * @throws Refusal `session-expired`, `second-factor-missing`, `not-allowed`
 */
export async function callerOfSession(db: Db, tokenHash: Buffer, access: Exclude<Access, 'public'>): Promise<Caller> {
  const [row] = await queryRows<SessionRow>(db, liveSessions, [[tokenHash]])
  if (row === undefined) throw refuse('session-expired')
  if (row.awaitsSecondFactor) throw refuse('second-factor-missing')
  if (!rolesWith[access].includes(row.role)) throw refuse('not-allowed')
  const { idleSeconds: _, ...caller } = row
  return caller
}

export async function endSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('tokenHash', '=', tokenHash).execute()
}

/** @returns false if the session is over or its second factor was already completed */
export async function completeSecondFactor(db: Db | Tx, tokenHash: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ awaitsSecondFactor: false })
    .where('tokenHash', '=', tokenHash)
    .where('awaitsSecondFactor', '=', true)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends all sessions of an operator except the given one. */
export async function endOtherSessions(tx: Tx, operatorId: string, keptTokenHash: Buffer): Promise<void> {
  await tx.deleteFrom('sessions').where('operatorId', '=', operatorId).where('tokenHash', '!=', keptTokenHash).execute()
}

export async function removeDeadSessions(db: Db): Promise<void> {
  await queryRows(
    db,
    `delete from sessions where last_used_at < now() - interval '${idleMinutes} minutes'
        or created_at < now() - interval '${maximumHours} hours'`,
  )
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
