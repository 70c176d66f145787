/** Checks the certificate of a purge against the audit trail, whose seals are checked apart from it. */

import { createHash } from 'node:crypto'
import { purgeCertificate } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'

/** @returns what is wrong with it; null: the audit trail vouches for every word of it */
export async function verifyCertificate(db: Db, text: string): Promise<string | null> {
  const read = jsonOf(text)
  const { success, data } = purgeCertificate.safeParse(read)
  if (!success) return 'This is not a certificate of a purge.'
  // Of two members of a name others may read the one that is not read here.
  if (namesIn(text) !== membersOf(read)) return 'The certificate was altered: it has a member twice.'
  const { room, audit } = data
  // As it was read: a member that certificates do not have is an alteration, too.
  const { audit: _, ...statement } = read as Record<string, unknown>
  if (digestOfJson(statement) !== audit.sha256) return 'The certificate was altered: its SHA-256 is another one.'
  const [entry] = await queryRows<Entry>(db, sealedEntry, [audit.entryId])
  if (entry === undefined) return `The certificate is false: the audit trail has no sealed entry ${audit.entryId}.`
  const vouches =
    entry.action === audit.action && entry.roomId === room.id && entry.detail?.endsWith(`SHA-256 ${audit.sha256}`)
  if (!vouches) return `The certificate was altered: entry ${audit.entryId} of the audit trail does not vouch for it.`
  const { position, hash } = audit.seal
  if (entry.position !== position || entry.hash !== hash) return 'The certificate was altered: its seal is another one.'
  return null
}

interface Entry {
  action: string
  roomId: string | null
  detail: string | null
  position: number
  hash: string
}

const sealedEntry = `
  select a.action, a.room_id, a.detail, s.position, encode(s.hash, 'hex') as hash
    from audit a join audit_seals s on s.entry_id = a.id where a.id = $1`

function namesIn(json: string): number {
  return [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const members = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce((sum: number, each) => sum + membersOf(each), members)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * The digest by which the audit trail vouches for a document: the hexadecimal SHA-256 of the value's canonical form
 * (RFC 8785), which is the same however the document is written.
 */
export function digestOfJson(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex')
}

/** Members sorted by their UTF-16 code units, as JavaScript sorts; it also writes numbers and texts as the RFC wants. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`
}
