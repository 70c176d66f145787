/** The protocol's calls about files. */
import type { IncomingHttpHeaders } from 'node:http'
import { digestHeader, sha256OfDigestHeader } from '@roomkeeper/region-protocol'
import type { FastifyInstance } from 'fastify'
import { readStream } from '#disk/files.ts'
import type { Handlers } from '#http/handlers.ts'
import { refuse } from '#refusals.ts'
import type { Region } from '#region.ts'
import type { FileStore } from './file-store.ts'
import type { UploadTickets } from './upload-tickets.ts'
import { createUploads, type Upload } from './uploads.ts'

/** Passes the bodies of files to their handler as streams; JSON is still parsed. */
export function takeFilesAsStreams(app: FastifyInstance): void {
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
}

export function fileHandlers(region: Region, files: FileStore, tickets: UploadTickets) {
  const uploads = createUploads(files)
  return {
    putFile: ({ params: { id }, request, fence }) => {
      region.reserve.refuseGrowth()
      region.fences.admit(fence)
      if (request.headers['content-type'] !== 'application/octet-stream')
        throw refuse('wrong-media-type', { expected: 'application/octet-stream' })
      return uploads.receive(id, { ...announcedUpload(request.headers), content: request.raw })
    },
    openUpload: async ({ params: { id }, body, fence }) => {
      region.reserve.refuseGrowth()
      region.fences.admit(fence)
      const known = await files.find(id)
      const complete = known?.complete === true && known.size === body.size && known.sha256 === body.sha256
      return { ...tickets.open({ id, ...body }), complete }
    },
    getFile: async ({ params: { id }, request, reply }) => {
      const { path, size, sha256 } = await files.contentOf(id)
      const etag = `"${sha256}"`
      const wanted = (request.headers['if-range'] ?? etag) === etag ? request.headers.range : undefined
      const range = wanted === undefined ? null : rangeOf(wanted, size)
      reply
        .header('content-type', 'application/octet-stream')
        .header('accept-ranges', 'bytes')
        .header('digest', digestHeader(sha256))
        .header('etag', etag)
      const { first, last } = range ?? { first: 0, last: size - 1 }
      if (range !== null) reply.code(206).header('content-range', `bytes ${first}-${last}/${size}`)
      reply.header('content-length', last - first + 1)
      if (size === 0) return reply.send(Buffer.alloc(0))
      return reply.send(readStream(path, { start: first, end: last, highWaterMark: 1 << 18 }))
    },
    deleteFile: async ({ params: { id }, fence }) => {
      region.reserve.forDeletionSync(() => region.fences.admit(fence))
      await files.remove(id)
      region.reserve.keep()
    },
  } satisfies Partial<Handlers>
}

/** Admits a request with a ticket. @throws {Refusal} */
export function admitTicket(tickets: UploadTickets, ticket: string, id: string, headers: IncomingHttpHeaders): void {
  const { size, sha256, firstByte } = announcedUpload(headers)
  tickets.admit(ticket, { id, size, sha256, hasContent: firstByte !== null })
}

/** What the headers of an upload say. @throws {Refusal} */
function announcedUpload(headers: IncomingHttpHeaders): Omit<Upload, 'content'> {
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

/**
 * The range of a `Range` header; null: it has none that we understand, so send the whole.
 * @throws {Refusal} 'wrong-range'
 */
function rangeOf(header: string, size: number): { first: number; last: number } | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return null
  const first = from === '' ? Math.max(size - Number(to), 0) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (first > last) throw refuse('wrong-range', { size })
  return { first, last }
}
