/** The built console: its files, also those of other builds, and index.html for every page. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isAssetName } from '#console-assets/index.ts'
import { refuse } from '#platform/refuse.ts'

export interface ConsoleFiles {
  /** The folder of the built console; null: only the API is served. */
  consoleDir: string | null
  /** The path of PUBLIC_URL, with a slash at its end: what is below it is asked for here without it. */
  publicPath: string
  /** The gzipped content of an asset of another build; null: there is none. */
  findAsset(name: string): Promise<Buffer | null>
}

/** Files with hashed names never change; browsers must ask for index.html each time. */
const forever = 'public, max-age=31536000, immutable'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
}

export async function serveConsole(
  app: FastifyInstance,
  { consoleDir, publicPath, findAsset }: ConsoleFiles,
): Promise<void> {
  const page = consoleDir === null ? null : await readPage(consoleDir, publicPath)
  const own = consoleDir === null ? new Set<string>() : await serveOwnFiles(app, consoleDir)
  if (page !== null) {
    tellBuild(app, page)
    for (const path of ['/', '/index.html']) app.get(path, (request, reply) => sendPage(request, reply, page))
  }
  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    if (own.has(request.params.name)) return reply.sendFile(`assets/${request.params.name}`)
    const content = isAssetName(request.params.name) ? await findAsset(request.params.name) : null
    if (content === null) return reply.callNotFound()
    return sendAsset(request, reply, content)
  })
  app.setNotFoundHandler(async (request, reply) => {
    const isPage = request.method === 'GET' && !/^\/(api|assets)\//.test(request.url)
    // Another replica may have the file, so nothing between here and the page may keep this answer.
    if (!isPage) reply.header('cache-control', 'no-store')
    if (publicPath !== '/' && `${request.url}/`.startsWith(publicPath))
      throw refuse('path-not-removed', { path: publicPath.slice(0, -1) })
    if (page === null || !isPage) throw refuse('no-such-call')
    return sendPage(request, reply, page)
  })
}

interface Page {
  content: string
  /** Changes with the content, so also with `publicPath`. */
  tag: string
}

/** The addresses in index.html, and those that the console asks for, are relative to its `<base>`. */
async function readPage(consoleDir: string, publicPath: string): Promise<Page | null> {
  // While it is being built again, there may be none.
  const built = await readFile(join(consoleDir, 'index.html'), 'utf8').catch(() => null)
  if (built === null) return null
  const content = built.replace('<base href="/"', `<base href="${publicPath}"`)
  return { content, tag: `"${createHash('sha256').update(content).digest('base64url')}"` }
}

function sendPage({ headers }: FastifyRequest, reply: FastifyReply, { content, tag }: Page): FastifyReply {
  reply.header('cache-control', 'no-cache').header('etag', tag)
  if (headers['if-none-match'] === tag) return reply.code(304).send()
  return reply.type('text/html; charset=utf-8').send(content)
}

/** Serves the files beside the assets. @returns the names of the assets, which are too many for a route of each */
async function serveOwnFiles(app: FastifyInstance, consoleDir: string): Promise<ReadonlySet<string>> {
  await app.register(fastifyStatic, {
    root: consoleDir,
    serve: false,
    preCompressed: true,
    setHeaders: (response, path) => {
      response.header('cache-control', path.includes('/assets/') ? forever : 'no-cache')
    },
  })
  const entries = await readdir(consoleDir, { withFileTypes: true })
  const beside = entries
    .filter((entry) => entry.isFile() && !/^\.|^index\.html$/.test(entry.name))
    .map(({ name }) => name)
  for (const name of beside) app.get(`/${name}`, (_, reply) => reply.sendFile(name))
  // While it is being built again, there may be none.
  return new Set(await readdir(join(consoleDir, 'assets')).catch(() => []))
}

/** Answers of the API tell which build of the console this server has, so that a page knows that a new one is there. */
function tellBuild(app: FastifyInstance, { content }: Page): void {
  const build = /\/assets\/(index-[\w-]+)\.js/.exec(content)?.[1]
  if (build === undefined) return
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/')) reply.header('x-console-build', build)
  })
}

async function sendAsset(
  { params: { name }, headers }: FastifyRequest<{ Params: { name: string } }>,
  reply: FastifyReply,
  gzipped: Buffer,
): Promise<FastifyReply> {
  reply
    .header('cache-control', forever)
    .header('vary', 'accept-encoding')
    .type(types[extname(name)] ?? '')
  if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return reply.send(await promisify(gunzip)(gzipped))
  return reply.header('content-encoding', 'gzip').send(gzipped)
}
