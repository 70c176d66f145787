/** The protocol's calls about files. */
import { digestHeader } from '@roomkeeper/region-protocol'
import type { FastifyInstance } from 'fastify'
import { readStream } from '#disk/files.ts'
import type { Handlers } from '#http/handlers.ts'
import { refuse } from '#refusals.ts'
import type { Region } from '#region.ts'
import { announcedUpload, bytesAllowed } from './announced-upload.ts'
import type { FileStore } from './file-store.ts'
import type { UploadTickets } from './upload-tickets.ts'
import { createUploads } from './uploads.ts'

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
      const sizeAtMost = bytesAllowed(request.raw)
      if (sizeAtMost !== undefined) return uploads.receiveUnknown(id, { sizeAtMost, content: request.raw })
      return uploads.receive(id, { ...announcedUpload(request.headers), content: request.raw })
    },
    openUpload: async ({ params: { id }, body: { sizeAtMost }, fence }) => {
      region.reserve.refuseGrowth()
      region.fences.admit(fence)
      await files.refuseWithoutSpace(sizeAtMost)
      return tickets.open({ id, sizeAtMost })
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
      tickets.end(id)
      await uploads.remove(id)
      region.reserve.keep()
    },
  } satisfies Partial<Handlers>
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
