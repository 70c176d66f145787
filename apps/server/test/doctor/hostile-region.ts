/** A region that gives the answers that a test defines, and otherwise follows the protocol. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Network } from '@roomkeeper/dev-env'

export interface HostileRegion {
  id: number
  /** Answers by path below the base path. A missing or null answer becomes a 404. */
  answers: Record<string, (url: URL) => unknown>
  otherwise: (path: string) => unknown
  stop(): Promise<void>
}

export async function registerHostileRegion(network: Network, name = 'hostile'): Promise<HostileRegion> {
  const answers: HostileRegion['answers'] = {
    session: () => ({ token: 'token', expiresAt: '2099-01-01T00:00:00Z' }),
    status: () => ({ name, version: '1', capabilities: ['routes'], products: [], rooms: 0, freeBytes: 0 }),
  }
  const region: HostileRegion = { id: 0, answers, otherwise: () => null, stop }
  const server = createServer((asked, answer) => {
    const url = new URL(asked.url ?? '/', 'http://region')
    const path = url.pathname.replace('/region/v1/', '')
    const body = answers[path]?.(url) ?? region.otherwise(path) ?? new Refused(404, 'no', 'unknown')
    asked.resume()
    const status = body instanceof Refused ? body.status : 200
    answer.writeHead(status, { 'content-type': 'application/json' })
    answer.end(JSON.stringify(body instanceof Refused ? { ...body } : body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [row] = await network.database.rows<{ id: number }>(
    `insert into regions (name, url, user_name, password, system_password, products)
     select $1, $2, user_name, password, system_password, products from regions where id = 1 returning id`,
    [name, url],
  )
  region.id = row?.id ?? 0
  async function stop() {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await network.database.rows('delete from regions where name = $1', [name])
  }
  return region
}

/** The problem with which a region refuses a call. */
export class Refused {
  readonly type: string
  readonly title = 'Refused'
  readonly status: number
  readonly detail: string
  constructor(status: number, detail: string, code = 'refused') {
    this.type = `urn:roomkeeper-region:${code}`
    this.status = status
    this.detail = detail
  }
}

/** A room as a region lists it. */
export function listed(name: string, roomId: string) {
  return {
    name,
    roomId,
    product: 'ARIS',
    edition: 'basic',
    state: 'active',
    locked: false,
    lock: null as unknown,
    size: 1,
    schemaVersion: 1,
    expirationDate: null,
    databases: [],
  }
}
