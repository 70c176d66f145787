/** What stands before several API processes: each connection goes to the first of them that accepts one. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Balancer {
  url: string
  /** How many connections each server has got. */
  connections: number[]
  /** The next request that begins like this reaches its server, but its answer is lost with the connection. */
  loseAnswerTo(request: string): void
  /** Before the next request that begins like this is passed on, something else happens. */
  before(request: string, happens: () => Promise<unknown>): void
  close(): Promise<void>
}

/** @param addresses such as `http://127.0.0.1:40123`, in the order in which they are tried */
export async function startBalancer(addresses: readonly string[]): Promise<Balancer> {
  const connections = addresses.map(() => 0)
  const open = new Set<Socket>()
  let lost: string | null = null
  let delayed: { request: string; happens: () => Promise<unknown> } | null = null
  const server = createServer((client) => {
    open.add(client)
    client.on('error', () => undefined).once('close', () => open.delete(client))
    void reach(0)

    function reach(index: number): void {
      const address = addresses[index]
      if (address === undefined) return void client.destroy()
      const { hostname: host, port } = new URL(address)
      const upstream = connect({ host, port: Number(port) })
      const next = () => reach(index + 1)
      upstream.once('error', next)
      upstream.once('connect', () => {
        upstream.off('error', next)
        connections[index] = (connections[index] ?? 0) + 1
        join(client, upstream)
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function join(client: Socket, upstream: Socket): void {
    let isLost = false
    client.on('data', (chunk: Buffer) => {
      if (lost !== null && chunk.toString('latin1').startsWith(lost)) {
        lost = null
        isLost = true
      }
      if (delayed !== null && chunk.toString('latin1').startsWith(delayed.request)) {
        const { happens } = delayed
        delayed = null
        client.pause()
        void happens().then(() => {
          upstream.write(chunk)
          client.resume()
        })
      } else upstream.write(chunk)
    })
    upstream.on('data', (chunk: Buffer) => (isLost ? client.resetAndDestroy() : client.write(chunk)))
    upstream.on('error', () => client.resetAndDestroy())
    upstream.once('close', () => client.destroy())
    client.once('close', () => upstream.destroy())
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    loseAnswerTo(request) {
      lost = request
    },
    before(request, happens) {
      delayed = { request, happens }
    },
    async close() {
      for (const each of open) each.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
