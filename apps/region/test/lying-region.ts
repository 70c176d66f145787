/** A region that signs everybody in, and answers calls for files as a test wants. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRegionClient, type RegionClient, type RegionClientOptions } from '@roomkeeper/region-protocol'

export interface LyingRegion {
  url: string
  newClient(options?: RegionClientOptions): RegionClient
  stop(): void
}

export async function startLyingRegion(
  files: (asked: IncomingMessage, answer: ServerResponse) => void | Promise<void>,
): Promise<LyingRegion> {
  const server = createServer(async (asked, answer) => {
    if (asked.url?.includes('/files/')) return files(asked, answer)
    asked.resume()
    const session = { token: 'token', expiresAt: new Date(Date.now() + 3_600_000).toISOString() }
    answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(session))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    newClient: (options = {}) => createRegionClient({ url, userName: 'superuser', password: 'password' }, options),
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Writes an endless content as fast as the client reads. @returns a function that gives the bytes written so far */
export function pour(answer: ServerResponse, bytes: number): () => number {
  const chunk = Buffer.alloc(65_536)
  let sent = 0
  const more = () => {
    while (!answer.destroyed && sent < bytes) {
      const piece = chunk.subarray(0, Math.min(chunk.length, bytes - sent))
      sent += piece.length
      if (!answer.write(piece)) return
    }
    if (sent >= bytes) answer.end()
  }
  answer.on('drain', more)
  more()
  return () => sent
}

export function digestOf(content: Buffer): string {
  return `sha-256=${createHash('sha256').update(content).digest('base64')}`
}
