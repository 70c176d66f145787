/**
 * The API reference at /api/reference: Swagger UI with the document of /api/openapi.json. All of it comes from this
 * server, and nothing of it is read before somebody opens the page. Anybody may ask for it, so an answer must cost
 * nothing: each file is compressed once.
 */
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { referencePage, referenceParts, referencePath } from './reference-page.ts'

const require = createRequire(import.meta.url)
const files = { 'swagger-ui.css': 'text/css', 'swagger-ui-bundle.js': 'text/javascript' } as const

export function serveReference(app: FastifyInstance, publicPath: string): void {
  const page = referencePage(publicPath)
  app.get(referencePath, async (_, reply) => reply.type('text/html; charset=utf-8').send(page))
  for (const [name, { type, content }] of Object.entries(referenceParts)) {
    app.get(`${referencePath}/${name}`, async (_, reply) => reply.type(`${type}; charset=utf-8`).send(content))
  }
  for (const [name, type] of Object.entries(files)) {
    const readCompressed = compressedOnce(name)
    // Without HEAD, for which the whole file would be read.
    app.get(`${referencePath}/${name}`, { exposeHeadRoute: false }, async ({ headers }, reply) => {
      const tag = `"${version()}"`
      reply.type(`${type}; charset=utf-8`)
      // Browsers ask each time, and get the file once for each version.
      reply.header('cache-control', 'no-cache').header('etag', tag).header('vary', 'accept-encoding')
      if (headers['if-none-match'] === tag) return reply.code(304).send()
      if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return reply.send(createReadStream(pathOf(name)))
      return reply.header('content-encoding', 'gzip').send(await readCompressed())
    })
  }
}

/** @returns the gzipped content of the file. Calls that come at once wait for the same */
function compressedOnce(name: string): () => Promise<Buffer> {
  let content: Promise<Buffer> | null = null
  return () => {
    content ??= readFile(pathOf(name)).then((whole) => promisify(gzip)(whole))
    content.catch(() => {
      content = null
    })
    return content
  }
}

function pathOf(name: string): string {
  return join(dirname(description()), name)
}

function version(): string {
  return (require(description()) as { version: string }).version
}

function description(): string {
  return require.resolve('swagger-ui-dist/package.json')
}
