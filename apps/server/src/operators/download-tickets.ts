/**
 * Tickets: links with which a browser itself downloads an export, so that nothing of it passes through the page. Each is
 * good for one minute, once, for one download with one query, and while the session or API token that asked for it counts. Only its
 * SHA-256 is stored, in the database, so that any process can serve it.
 */
import { createHash, randomBytes } from 'node:crypto'
import { type BodyOf, type Routes, routes } from '@roomkeeper/contract'
import { z } from 'zod'
import { type Db, queryRows } from '#platform/database.ts'
import { type Caller, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { requireLiveCaller } from './live-caller.ts'

const validSeconds = 60
/** The newest ones of a session that have not been used; each can name 100,000 rooms. */
const mostUnused = 10

/** Downloads by ticket, and the calls that make their tickets: their bodies say what is to be downloaded. */
const madeBy = {
  downloadRooms: 'createRoomsTicket',
  downloadAudit: 'createAuditTicket',
  downloadMigrationLogs: 'createMigrationLogsTicket',
  downloadBulkItems: 'createBulkItemsTicket',
} as const
type Download = keyof typeof madeBy
type WantedBy<Name extends Download> = BodyOf<Routes[(typeof madeBy)[Name]]>

/** Answers with the address of the download. The ticket in it is shown once and never stored. */
export async function answerWithTicket<Name extends Download>(
  db: Db,
  download: Name,
  wanted: WantedBy<Name>,
  caller: Caller,
): Promise<{ status: 200; body: { url: string } }> {
  const ticket = randomBytes(32).toString('base64url')
  await queryRows(
    db,
    `with left_over as (
       delete from download_tickets where token_hash in (
         select token_hash from download_tickets where session_hash = $2 order by expires_at desc offset $6 - 1))
     insert into download_tickets (token_hash, session_hash, download, query, expires_at)
     values ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
    [hashOf(ticket), caller.tokenHash, download, JSON.stringify(wanted), validSeconds, mostUnused],
  )
  return ok({ url: routes[download].path.replace(':ticket', ticket) })
}

/**
 * Uses the ticket up, also where the download is then refused.
 * @returns the body of the call that asked for the ticket, and its caller
 * @throws Refusal `link-expired`, also for a ticket of another download; what `requireLiveCaller` throws if that caller
 *   may not make that call any more, or not from this address
 */
export async function redeemTicket<Name extends Download>(
  db: Db,
  download: Name,
  ticket: string,
  address: string,
): Promise<{ wanted: WantedBy<Name>; caller: Caller }> {
  const [row] = await queryRows<{ sessionHash: Buffer; query: unknown }>(
    db,
    `delete from download_tickets where token_hash = $1 and download = $2 and expires_at > now()
     returning session_hash, query`,
    [hashOf(ticket), download],
  )
  if (row === undefined) throw refuse('link-expired')
  const { access, body } = routes[madeBy[download]]
  const caller = await requireLiveCaller(db, row.sessionHash, access, address)
  return { wanted: z.decode(body as z.ZodType, row.query) as WantedBy<Name>, caller }
}

export async function removeOldTickets(db: Db): Promise<void> {
  await queryRows(db, 'delete from download_tickets where expires_at < now()')
}

function hashOf(ticket: string): Buffer {
  return createHash('sha256').update(ticket).digest()
}
