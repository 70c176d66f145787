/** A proxy between a region and an object store that does what networks and stores sometimes do. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

/**
 * hold-parts: the parts of an upload get no answer. reset-parts: their connection breaks. busy: answers 503. corrupt:
 * changes the first byte of an object that is read. cut: an object that is read ends in the middle.
 */
export type ProxyMode = 'through' | 'hold-parts' | 'reset-parts' | 'busy' | 'corrupt' | 'cut'

export interface ObjectStoreProxy {
  endpoint: string
  mode: ProxyMode
  /** How many parts it has held or broken. */
  partsStopped: number
  close(): void
}

export async function startObjectStoreProxy(store: string): Promise<ObjectStoreProxy> {
  const server = createServer((incoming, answer) => {
    const isPart = incoming.method === 'PUT' && incoming.url?.includes('partNumber=') === true
    if (isPart && (proxy.mode === 'hold-parts' || proxy.mode === 'reset-parts')) {
      proxy.partsStopped += 1
      if (proxy.mode === 'reset-parts') incoming.socket.resetAndDestroy()
      return
    }
    if (proxy.mode === 'busy') {
      incoming.resume()
      answer.writeHead(503).end()
    } else forward(store, incoming, answer, proxy.mode)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const proxy: ObjectStoreProxy = {
    endpoint: `http://127.0.0.1:${port}`,
    mode: 'through',
    partsStopped: 0,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return proxy
}

/** Forwards the headers unchanged, because the signature covers them. */
function forward(store: string, incoming: IncomingMessage, answer: ServerResponse, mode: ProxyMode): void {
  const { method = 'GET', url = '/', headers } = incoming
  const { hostname, port } = new URL(store)
  const outgoing = request({ hostname, port, method, path: url, headers }, (found) => {
    answer.writeHead(found.statusCode ?? 502, found.headers)
    const size = Number(found.headers['content-length'])
    let seen = 0
    found.on('data', (chunk: Buffer) => {
      if (method === 'GET' && mode === 'corrupt' && seen === 0) chunk.writeUInt8(chunk.readUInt8(0) ^ 1, 0)
      seen += chunk.length
      if (method === 'GET' && mode === 'cut' && seen > size / 2) answer.destroy()
      else answer.write(chunk)
    })
    found.on('end', () => answer.end())
  })
  outgoing.on('error', () => answer.destroy())
  incoming.pipe(outgoing)
}
