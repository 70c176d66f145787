/** A region that has what every region needs, and nothing else: a proxy before a reference region that hides the rest. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'

const optionalCalls = [
  /^\w+ \/rooms\/\w+\/console-record$/,
  /^GET \/jobs\/[^/]+\/file$/,
  /^POST \/files\/[^/]+\/tickets$/,
  /^DELETE \/files\//,
  /^PUT \/fences$/,
  /^GET \/routes(\?|$)/,
]
const optionalJobs = new Set(['purgeRoom', 'replaceRoom', 'putBackRoom', 'verifyBackup'])

/** It is as strict as a region that was written to the calls that it knows: what it does not know, it refuses. */
export async function startMinimalRegion(of: string): Promise<{ url: string; refused: string[]; stop(): void }> {
  const refused: string[] = []
  const server = createServer(async (asked, answer) => {
    const { method = '', url = '', headers } = asked
    const refuse = (status: number, code: string) => {
      refused.push(`${method} ${url}`)
      const problem = { type: `urn:roomkeeper-region:${code}`, title: code, status, detail: code }
      answer.writeHead(status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem))
    }
    const path = url.replace('/region/v1', '')
    if (optionalCalls.some((call) => call.test(`${method} ${path}`))) {
      asked.resume()
      return refuse(404, 'no-such-call')
    }
    const isStart = method === 'PUT' && path.startsWith('/jobs/')
    const body = isStart ? Buffer.concat(await asked.toArray()) : null
    if (body !== null && isOptional(body)) return refuse(400, 'invalid-input')
    const to = of + (path.startsWith('/jobs/') ? url.replace(/[?&]wait=\d+/, '') : url)
    const passed = request(to, { method, headers })
    passed.on('error', () => answer.destroy())
    asked.on('error', () => passed.destroy())
    passed.on('response', async (said) => {
      const hides = path === '/status' || isStart
      if (!hides || said.statusCode !== 200) {
        answer.writeHead(said.statusCode ?? 502, said.headers)
        return void said.pipe(answer)
      }
      const { capabilities: _, protocolVersion: __, damagedRooms: ___, isNew: ____, ...told } = await json(said)
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told))
    })
    if (body === null) asked.pipe(passed)
    else passed.end(body)
  })
  // On a busy machine, an idle connection that is closed meets the next call.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function isOptional(body: Buffer): boolean {
  const { type, digest, to } = JSON.parse(body.toString() || '{}')
  return optionalJobs.has(type) || digest !== undefined || to !== undefined
}

async function json(said: IncomingMessage): Promise<Record<string, unknown>> {
  return JSON.parse(Buffer.concat(await said.toArray()).toString())
}
