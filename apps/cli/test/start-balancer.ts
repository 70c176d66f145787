/** What stands before several API processes: each connection goes to the first of them that accepts one. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Balancer {
  url: string
  /** How many connections each server has got. */
  connections: number[]
  /** The next request that begins like this reaches its server, but its answer is lost with the connection. */
  loseAnswerTo(request: string): void
  /** The next answer to such a request stops in the middle. */
  stallAnswerTo(request: string): void
  /** All such requests get this answer, and do not reach the server; null: no longer. */
  answer(answer: { request: string; text: string } | null): void
  /** Nothing is passed on any more, in open and new connections, until it is false again for new ones. */
  beSilent(isSilent: boolean): void
  /** Before the next request that begins like this is passed on, something else happens. */
  before(request: string, happens: () => Promise<unknown>): void
  close(): Promise<void>
}

/** @param addresses such as `http://127.0.0.1:40123`, in the order in which they are tried */
export async function startBalancer(addresses: readonly string[]): Promise<Balancer> {
  const connections = addresses.map(() => 0)
  const open = new Set<Socket>()
  let lost: string | null = null
  let stalled: string | null = null
  let answered: { request: string; text: string } | null = null
  let isSilent = false
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
    let isStalled = false
    client.on('data', (chunk: Buffer) => {
      if (isSilent) return
      const text = chunk.toString('latin1')
      if (lost !== null && text.startsWith(lost)) {
        lost = null
        isLost = true
      }
      if (stalled !== null && text.startsWith(stalled)) {
        stalled = null
        isStalled = true
      }
      if (answered !== null && text.startsWith(answered.request)) client.end(answered.text)
      else if (delayed !== null && text.startsWith(delayed.request)) {
        const { happens } = delayed
        delayed = null
        client.pause()
        void happens().then(() => {
          upstream.write(chunk)
          client.resume()
        })
      } else upstream.write(chunk)
    })
    upstream.on('data', (chunk: Buffer) => {
      if (isLost) client.resetAndDestroy()
      else if (isStalled) client.write(chunk.subarray(0, chunk.indexOf('\r\n\r\n') + 6))
      else if (!isSilent) client.write(chunk)
    })
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
    stallAnswerTo(request) {
      stalled = request
    },
    answer(given) {
      answered = given
    },
    beSilent(given) {
      isSilent = given
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
