/**
 * How a backup is downloaded: its file, or the requested range of it, so that downloads can be resumed; and tickets, links
 * with which a browser can download one backup for ten minutes, and resume it, while the session or API token that asked
 * for it counts.
 */
import { createHash, randomBytes } from 'node:crypto'
import { because, routes } from '@roomkeeper/contract'
import { digestHeader } from '@roomkeeper/region-protocol'
import { requireLiveCaller } from '#operators/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { FileMissing, type FileStore } from '#platform/file-store.ts'
import { requestedRange } from '#platform/http/byte-range.ts'
import type { Caller, StreamReply } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { beginReading } from './backup-uses.ts'
import type { RoomBackupRow } from './find-backup.ts'

/**
 * Answers with the file of a backup, or with the requested range of it. The backup cannot be removed until the stream is
 * closed.
 * @param by who downloads it
 * @throws Refusal `wrong-state` if the backup is in an object store, `range-not-satisfiable`, `backup-unknown`
 */
export async function sendBackup(
  db: Db,
  store: FileStore,
  backup: RoomBackupRow,
  header: (name: string) => string | undefined,
  by: string,
): Promise<StreamReply> {
  fileOf(backup)
  const end = await beginReading(db, backup.id, { kind: 'download', by })
  try {
    const answer = await answerWith(store, backup, header)
    answer.stream.once('close', () => void end())
    return answer
  } catch (error) {
    await end()
    throw error
  }
}

async function answerWith(
  store: FileStore,
  backup: RoomBackupRow,
  header: (name: string) => string | undefined,
): Promise<StreamReply> {
  const { size, sha256, location } = fileOf(backup)
  const etag = `"${sha256}"`
  const range = requestedRange(header, { size, etag })
  // The explicit range ensures that a file that has grown does not send more than the announced length.
  const wanted = range ?? (size === 0 ? {} : { start: 0, end: size - 1 })
  const stream = await store.open(location, wanted).catch((error: unknown) => {
    throw error instanceof FileMissing ? refuse('backup-unknown') : error
  })
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    digest: digestHeader(sha256),
    'content-disposition': `attachment; filename="${fileNameOf(backup)}"`,
    // Browsers resume only downloads that they may cache. `private` keeps backups out of shared caches.
    'cache-control': 'private, no-cache, no-transform',
  }
  if (range === null) return { status: 200, stream, headers: { ...headers, 'content-length': String(size) } }
  const { start, end } = range
  const part = { 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': String(end - start + 1) }
  return { status: 206, stream, headers: { ...headers, ...part } }
}

/** @throws Refusal `wrong-state` if the backup is in an object store */
export function fileOf(backup: RoomBackupRow): RoomBackupRow {
  if (backup.kind === 'classic') return backup
  throw refuse('wrong-state', { reason: because('backup-not-here') })
}

/** For example `acme-2026-11-21T03-15-00Z.zip`. */
function fileNameOf({ roomName, createdAt }: RoomBackupRow): string {
  return `${roomName}-${createdAt.replace(/\.\d+/, '').replaceAll(':', '-')}.zip`
}

const validMinutes = 10

/** Stores only the SHA-256 of the ticket. @returns the ticket, which is shown once */
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
 * @throws Refusal `link-expired`; what `requireLiveCaller` throws if the operator who asked for the link may not do so any
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
