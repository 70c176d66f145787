/** The digest of a JSON value by which the audit trail vouches for a document. */
import { createHash } from 'node:crypto'

/** The hexadecimal SHA-256 of the value's canonical form (RFC 8785), which is the same however the document is written. */
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
