/** Sessions: opaque tokens of which only the SHA-256 is stored. They end after 30 idle minutes or 12 hours at most. */
import { createHash, randomBytes } from 'node:crypto'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import type { Caller } from '#platform/http/handler.ts'

export const idleMinutes = 30
export const maximumHours = 12

/** @returns the token, which is shown once and never stored */
export async function openSession(db: Db, operatorId: string, awaitsSecondFactor: boolean): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('sessions')
    .values({ tokenHash: hashToken(token), operatorId, awaitsSecondFactor })
    .execute()
  return token
}

interface SessionRow extends Omit<Caller, 'tokenHash'> {
  idleSeconds: number
}

/**
 * The caller who has this token, or null if the session is over.
 * @param activity.background whether the call was made without the operator, so that it does not keep the session alive
 */
export async function findSession(
  { db, pool }: Database,
  token: string,
  activity: { background: boolean },
): Promise<Caller | null> {
  const tokenHash = hashToken(token)
  // A prepared statement, because every call runs it first.
  const { rows } = await pool.query<SessionRow>({ name: 'live-session', text: liveSession, values: [tokenHash] })
  const [row] = rows
  if (row === undefined) return null
  const { idleSeconds, ...caller } = row
  if (!activity.background && idleSeconds > 30) await touch(db, tokenHash)
  return { ...caller, tokenHash }
}

const liveSession = `
  select s.operator_id as "operatorId", o.email, o.name, o.role, s.awaits_second_factor as "awaitsSecondFactor",
         extract(epoch from now() - s.last_used_at)::int as "idleSeconds"
    from sessions s join operators o on o.id = s.operator_id
   where s.token_hash = $1
     and s.last_used_at > now() - interval '${idleMinutes} minutes'
     and s.created_at > now() - interval '${maximumHours} hours'`

/** For streams that stay open. Does not count as activity, so it does not keep the session alive. */
export async function sessionLives(db: Db, tokenHash: Buffer): Promise<boolean> {
  return (await queryRows(db, liveSession, [tokenHash])).length > 0
}

async function touch(db: Db, tokenHash: Buffer): Promise<void> {
  await queryRows(db, 'update sessions set last_used_at = now() where token_hash = $1', [tokenHash])
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
