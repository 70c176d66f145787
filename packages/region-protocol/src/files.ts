/**
 * Files: backups and exports on their way between console and region.
 *
 * `PUT files/{id}` sends the content with `Content-Length` and `Digest: sha-256=<base64>` (of the whole content).
 * To resume a broken upload, first ask how much has arrived (`received`): `PUT` with an empty body and
 * `Content-Range: bytes *\/<size>`. Then send the rest with `Content-Range: bytes <received>-<last>/<size>`.
 * `GET files/{id}` answers with `Content-Length`, `Digest` and `ETag`, and honours `Range` and `If-Range`.
 * A region keeps a file for at least 24 hours after its last use.
 *
 * With a ticket (`POST files/{id}/tickets`) another region sends a file while it makes it, so that its size and digest are
 * not known yet: `Authorization: Ticket <ticket>` in place of a session's token, and the header `digestAtEnd`. The content
 * is followed by the 32 bytes of its SHA-256. A ticket is for one upload of one file. The region takes at most
 * `sizeAtMost` bytes of content, gives no ticket for more than it has space for (507), and has the file only when the
 * digest was right; nothing stays of a broken upload. The headers of a `CallMark` count for nothing beside a ticket, and
 * it ends when the file is removed.
 */
import { z } from 'zod'

export const fileInfo = z.object({
  id: z.string(),
  /** Bytes of the whole content. */
  size: z.int().min(0),
  /** How many bytes have arrived, counted from the first byte without a gap. */
  received: z.int().min(0),
  complete: z.boolean(),
  /** Hexadecimal; null until the file is complete. */
  sha256: z.string().nullable(),
})
export type FileInfo = z.infer<typeof fileInfo>

/** What a ticket is asked for: a file of at most so many bytes. */
export const uploadWanted = z.object({ sizeAtMost: z.int().min(0) })
export type UploadWanted = z.infer<typeof uploadWanted>

export const uploadTicket = z.object({
  /** A secret. */
  ticket: z.string().min(1).max(512),
  /** By then the upload must have begun. */
  expiresAt: z.iso.datetime(),
})
export type UploadTicket = z.infer<typeof uploadTicket>

/** The header of an upload whose content is followed by its SHA-256, as `sha256Bytes` bytes. */
export const digestAtEnd = { name: 'roomkeeper-digest', value: 'at-end' } as const
export const sha256Bytes = 32

const ticketScheme = 'Ticket '

/** The `Authorization` header that carries a ticket. */
export function ticketHeader(ticket: string): string {
  return `${ticketScheme}${ticket}`
}

/** The ticket in an `Authorization` header; null if it has none. */
export function ticketOfHeader(header: string | undefined): string | null {
  return header?.startsWith(ticketScheme) === true ? header.slice(ticketScheme.length) : null
}

/** The `Digest` header `sha-256=<base64>` for a hexadecimal SHA-256. */
export function digestHeader(sha256: string): string {
  return `sha-256=${Buffer.from(sha256, 'hex').toString('base64')}`
}

/** The hexadecimal SHA-256 in a `Digest` header; null if it has none. */
export function sha256OfDigestHeader(header: string | null | undefined): string | null {
  for (const part of (header ?? '').split(',')) {
    const found = /^\s*sha-256=([A-Za-z0-9+/]{43}=)\s*$/i.exec(part)
    if (found?.[1] !== undefined) return Buffer.from(found[1], 'base64').toString('hex')
  }
  return null
}
