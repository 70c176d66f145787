/**
 * Files: backups and exports on their way between console and region.
 *
 * `PUT files/{id}` sends the content with `Content-Length` and `Digest: sha-256=<base64>` (of the whole content).
 * To resume a broken upload, first ask how much has arrived (`received`): `PUT` with an empty body and
 * `Content-Range: bytes *\/<size>`. Then send the rest with `Content-Range: bytes <received>-<last>/<size>`.
 * `GET files/{id}` answers with `Content-Length`, `Digest` and `ETag`, and honours `Range` and `If-Range`.
 * A region keeps a file for at least 24 hours after its last use.
 *
 * With a ticket (`POST files/{id}/tickets`) another region sends the content: `Authorization: Ticket <ticket>` in place of
 * a session's token. A ticket is for one file of this size and digest and for one upload of its content; asking how much
 * has arrived does not use it up. The headers of a `CallMark` count for nothing beside it, and it ends when the file is
 * removed.
 *
 * A ticket that was asked for with `sizeAtMost` is for one upload of a file whose size and digest nobody knows yet: its
 * content is sent with the header `digestAtEnd`, followed by the 32 bytes of its SHA-256. The region takes no more than
 * `sizeAtMost` bytes of content, gives no ticket for more than it has space for (507), and the file is there only when the digest was right; of a broken upload nothing stays.
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

/** What a ticket is asked for: the file that will come. A region may offer the first form only. */
export const uploadWanted = z.union([
  z.object({
    /** Bytes. */
    size: z.int().min(0),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  /** A file of which only this is known: it has at most so many bytes. */
  z.object({ sizeAtMost: z.int().min(0) }),
])
export type UploadWanted = z.infer<typeof uploadWanted>

export const uploadTicket = z.object({
  /** A secret; not needed if the file is already complete. */
  ticket: z.string().min(1).max(512),
  /** By then the upload must have begun. */
  expiresAt: z.iso.datetime(),
  /** Whether the region already has the whole content; false if that is not known yet. */
  complete: z.boolean(),
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
