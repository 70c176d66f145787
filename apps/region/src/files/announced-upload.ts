/** What a request says about the file that it sends, and whether its ticket allows it. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { digestAtEnd, sha256OfDigestHeader } from '@roomkeeper/region-protocol'
import { refuse } from '#refusals.ts'
import type { UploadTickets } from './upload-tickets.ts'
import type { Upload } from './uploads.ts'

/** How many bytes the ticket of a request allows. */
const allowed = new WeakMap<IncomingMessage, number>()

/** Admits a request with a ticket. @throws {Refusal} */
export function admitTicket(tickets: UploadTickets, ticket: string, id: string, request: IncomingMessage): void {
  if (request.headers[digestAtEnd.name] !== digestAtEnd.value) throw refuse('signed-out')
  allowed.set(request, tickets.admit(ticket, id))
}

/** Undefined: the request has no ticket, and has to announce what it sends. */
export function bytesAllowed(request: IncomingMessage): number | undefined {
  return allowed.get(request)
}

/** What the headers of an upload say. @throws {Refusal} */
export function announcedUpload(headers: IncomingHttpHeaders): Omit<Upload, 'content'> {
  const sha256 = sha256OfDigestHeader(String(headers.digest ?? ''))
  if (sha256 === null) throw refuse('malformed', { reason: 'Please send Digest: sha-256=<base64 of the content>.' })
  if (!/^\d{1,15}$/.test(headers['content-length'] ?? '')) throw refuse('length-required')
  const length = Number(headers['content-length'])
  const range = headers['content-range']
  if (range === undefined) return { size: length, sha256, firstByte: 0 }
  const [, first, last, total] = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/.exec(range) ?? []
  const size = Number(total)
  if (total === undefined) throw refuse('malformed', { reason: 'Content-Range must be bytes <first>-<last>/<size>.' })
  if (first === undefined && length === 0) return { size, sha256, firstByte: null }
  if (Number(last) !== size - 1 || length !== size - Number(first))
    throw refuse('malformed', { reason: 'Content-Range must reach to the end and agree with Content-Length.' })
  return { size, sha256, firstByte: Number(first) }
}
