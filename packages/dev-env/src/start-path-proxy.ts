/** A proxy that serves a console below a path, which it removes, as docs/operations.md asks for. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PathProxy {
  /** The value for PUBLIC_URL, such as `http://127.0.0.1:40123/roomkeeper`. */
  url: string
  /** Where it passes calls on to; empty: nowhere yet. */
  target: string
  stop(): Promise<void>
}

const path = '/roomkeeper'

export async function startPathProxy(): Promise<PathProxy> {
  const server = createServer((asked, answer) => {
    const { method = 'GET', url = '/', headers } = asked
    if (!url.startsWith(`${path}/`)) return void answer.writeHead(404).end('Nothing is here.')
    const passed = request(proxy.target + url.slice(path.length), { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const proxy: PathProxy = {
    url: `http://127.0.0.1:${port}${path}`,
    target: '',
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}
