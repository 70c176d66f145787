/**
 * A malicious region: each answer is JSON of the maximum length, compressed to a thousandth, with elements that never
 * match the protocol.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

export interface GreedyRegion {
  url: string
  stop(): Promise<void>
}

const mebibyte = 1024 * 1024
const signIn = JSON.stringify({ token: 'a token', expiresAt: '2030-01-01T00:00:00.000Z' })

/** Lets everybody sign in, except below `/greedy`. @param bodyOf gives the answer to a path of the protocol */
export async function startGreedyRegion(bodyOf: (path: string) => string): Promise<GreedyRegion> {
  const packed = new Map<string, Buffer>()
  const server = createServer((asked, answer) => {
    asked.resume()
    const path = (asked.url ?? '').replace('/region/v1/', '')
    if (path === 'session') return answer.end(signIn)
    const body = bodyOf(path)
    const bytes = packed.get(body) ?? gzipSync(body)
    packed.set(body, bytes)
    return answer.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** A list of 16 MiB. */
export const longestList = listOf('{}', Math.floor((16 * mebibyte - 1000) / 3))

export function listOf(element: string, count: number): string {
  return `[${Array(count).fill(element).join(',')}]`
}
