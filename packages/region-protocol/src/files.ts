/** Files: backups and exports on their way between console and region (docs/region/files.md). */
import { z } from 'zod'

export const fileInfo = z.object({
  id: z.string().describe('The id of the file.'),
  size: z.int().min(0).describe('Bytes of the whole content.'),
  received: z.int().min(0).describe('How many bytes have arrived and are safe, from the first one on without a gap.'),
  complete: z.boolean().describe('Whether the whole content is there and has the announced digest.'),
  sha256: z.string().nullable().describe('Of the whole content, hexadecimal; null until the file is complete.'),
})
export type FileInfo = z.infer<typeof fileInfo>

export const uploadWanted = z.object({
  sizeAtMost: z.int().min(0).describe('Bytes of content that the upload may have, without the digest at its end.'),
})
export type UploadWanted = z.infer<typeof uploadWanted>

export const uploadTicket = z.object({
  ticket: z.string().min(1).max(512).describe('A secret, for one upload of this file.'),
  expiresAt: z.iso.datetime().describe('By then the upload must have begun: ten minutes after the call.'),
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
