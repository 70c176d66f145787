/**
 * The API reference at /api/reference: Swagger UI with the document of /api/openapi.json. All of it comes from this
 * server, and nothing of it is read before somebody opens the page (decision 110).
 */
import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createGzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const require = createRequire(import.meta.url)
const path = '/api/reference'
const files = { 'swagger-ui.css': 'text/css', 'swagger-ui-bundle.js': 'text/javascript' } as const

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Roomkeeper API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${path}/swagger-ui.css">
<script src="${path}/swagger-ui-bundle.js" defer></script>
<script src="${path}/start.js" defer></script>
</head>
<body><div id="reference"></div></body>
</html>
`

/** A token that somebody enters to try a call stays in the memory of the page. No other server is asked to validate. */
const start = `SwaggerUIBundle({
  url: '/api/openapi.json',
  domNode: document.getElementById('reference'),
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  persistAuthorization: false,
  queryConfigEnabled: false,
  validatorUrl: null,
  withCredentials: false,
})
`

export function serveReference(app: FastifyInstance): void {
  app.get(path, async (_, reply) => reply.type('text/html; charset=utf-8').send(page))
  app.get(`${path}/start.js`, async (_, reply) => reply.type('text/javascript; charset=utf-8').send(start))
  for (const [name, type] of Object.entries(files)) {
    app.get(`${path}/${name}`, async (request, reply) => sendFile(request, reply.type(`${type}; charset=utf-8`), name))
  }
}

/** Browsers ask each time, and get the file once for each version. */
function sendFile({ headers }: FastifyRequest, reply: FastifyReply, name: string): FastifyReply {
  const description = require.resolve('swagger-ui-dist/package.json')
  const tag = `"${(require(description) as { version: string }).version}"`
  reply.header('cache-control', 'no-cache').header('etag', tag).header('vary', 'accept-encoding')
  if (headers['if-none-match'] === tag) return reply.code(304).send()
  const content = createReadStream(join(dirname(description), name))
  if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return reply.send(content)
  return reply.header('content-encoding', 'gzip').send(content.compose(createGzip()))
}
