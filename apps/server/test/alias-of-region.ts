/** One region server under a second address, as in installations older than instance ids. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Network, RunningRegion } from '@roomkeeper/dev-env'

/** @returns the id of a second row for the server of region 1; older consoles allowed such a registration */
export async function insertAlias(network: Network, url: string, name = 'alias'): Promise<number> {
  const [row] = await network.database.rows<{ id: number }>(
    `insert into regions (name, url, user_name, password, system_password, products)
     select $1, $2, user_name, password, system_password, products from regions where id = 1 returning id`,
    [name, url],
  )
  if (row === undefined) throw new Error('There is no region 1.')
  return row.id
}

export function underAnotherName({ url }: RunningRegion): string {
  return url.replace('127.0.0.1', 'localhost')
}

export interface OlderRegion {
  url: string
  stop(): void
}

interface Older {
  /** Whether the region tells who holds the lock of a room. */
  tellsHolders?: boolean
}

/** The same server, behaving like a region of an older protocol version that has no instance id. */
export async function withoutInstanceId(region: RunningRegion, older: Older = {}): Promise<OlderRegion> {
  const server = createServer((asked, answer) => {
    const { method, url: path = '/', headers } = asked
    const passed = request(region.url + path, { method, headers: { ...headers, 'accept-encoding': 'identity' } })
    asked.pipe(passed)
    passed
      .on('response', (said) => void pass({ method, path }, said, answer, older))
      .on('error', () => answer.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function pass(
  { method, path }: { method: string | undefined; path: string },
  said: IncomingMessage,
  answer: ServerResponse,
  { tellsHolders = true }: Older,
): Promise<void> {
  const { statusCode = 502, headers } = said
  const isLook = method === 'GET' && /\/rooms\/[^/]+$/.test(path)
  if (!path.endsWith('/status') && (tellsHolders || !isLook || statusCode !== 200)) {
    answer.writeHead(statusCode, headers)
    said.pipe(answer)
    return
  }
  const { instanceId: _, ...older } = JSON.parse(Buffer.concat(await said.toArray()).toString())
  const shown = isLook ? { ...older, lock: null } : older
  answer.writeHead(statusCode, { 'content-type': 'application/json' }).end(JSON.stringify(shown))
}
