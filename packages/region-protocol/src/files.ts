/**
 * Contents of backups and exports on their way between console and region.
 *
 * `PUT files/{id}` carries the content with `Content-Length` and `Digest: sha-256=<base64>` (of the whole content).
 * To go on after a broken upload: `Content-Range: bytes <first>-<last>/<size>` from the byte that the region asks for,
 * which `PUT` with an empty body and `Content-Range: bytes *\/<size>` tells (`received`).
 * `GET files/{id}` answers with `Content-Length`, `Digest`, `ETag`, and honours `Range` and `If-Range`.
 * A region keeps a file at least 24 h after it was last used.
 */
import { z } from 'zod'

export const fileInfo = z.object({
  id: z.string(),
  /** Bytes of the whole content. */
  size: z.int().min(0),
  /** How many bytes, from the first on, have arrived. */
  received: z.int().min(0),
  complete: z.boolean(),
  /** Hexadecimal; null until it is complete. */
  sha256: z.string().nullable(),
})
export type FileInfo = z.infer<typeof fileInfo>

/** `sha-256=<base64>` of a hexadecimal SHA-256. */
export function digestHeader(sha256: string): string {
  return `sha-256=${Buffer.from(sha256, 'hex').toString('base64')}`
}

/** The hexadecimal SHA-256 in a `Digest` header, or null when there is none. */
export function sha256OfDigestHeader(header: string | null | undefined): string | null {
  for (const part of (header ?? '').split(',')) {
    const found = /^\s*sha-256=([A-Za-z0-9+/]{43}=)\s*$/i.exec(part)
    if (found?.[1] !== undefined) return Buffer.from(found[1], 'base64').toString('hex')
  }
  return null
}
