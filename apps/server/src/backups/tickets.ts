/**
 * Tickets: links with which a browser can download one backup for ten minutes, and resume it, while the session
 * or API token that asked for it counts. Only their SHA-256 is stored.
 */
import { createHash, randomBytes } from 'node:crypto'
import { routes } from '@roomkeeper/contract'
import { requireLiveCaller } from '#operators/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import type { Caller } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'

const validMinutes = 10

/** @returns the ticket, which is shown once and never stored */
export async function createTicket(tx: Tx, backupId: string, sessionHash: Buffer): Promise<string> {
  const ticket = randomBytes(32).toString('base64url')
  await queryRows(
    tx,
    `insert into backup_tickets (token_hash, backup_id, session_hash, expires_at)
     values ($1, $2, $3, now() + make_interval(mins => $4))`,
    [hashOf(ticket), backupId, sessionHash, validMinutes],
  )
  return ticket
}

/**
 * @returns the id of the backup, and who asked for the link
 * @throws Refusal `link-expired`; what `requireLiveCaller` throws if whoever asked for the link may not do so any
 *   more, or not from this address
 */
export async function redeemTicket(
  db: Db,
  ticket: string,
  address: string,
): Promise<{ backupId: string; caller: Caller }> {
  const [row] = await queryRows<{ backupId: string; sessionHash: Buffer }>(
    db,
    'select backup_id, session_hash from backup_tickets where token_hash = $1 and expires_at > now()',
    [hashOf(ticket)],
  )
  if (row === undefined) throw refuse('link-expired')
  const { access } = routes.createBackupTicket
  return { backupId: row.backupId, caller: await requireLiveCaller(db, row.sessionHash, access, address) }
}

export async function removeOldTickets(db: Db): Promise<void> {
  await queryRows(db, 'delete from backup_tickets where expires_at < now()')
}

function hashOf(ticket: string): Buffer {
  return createHash('sha256').update(ticket).digest()
}
