/** HTTP calls with as little overhead as possible: the connection is kept, the body read to its end. */
import { Agent, request } from 'node:http'

export interface Caller {
  post(path: string): Promise<Buffer>
  close(): void
}

export function createCaller(base: string, token: string): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    close: () => agent.destroy(),
    post: (path) =>
      new Promise((resolve, reject) => {
        const call = request(
          base + path,
          { method: 'POST', agent, headers: { authorization: `Bearer ${token}` } },
          (answer) => {
            const chunks: Buffer[] = []
            answer.on('data', (chunk: Buffer) => chunks.push(chunk))
            answer.on('end', () => {
              const body = Buffer.concat(chunks)
              if (answer.statusCode === 200) resolve(body)
              else reject(new Error(`${path}: ${answer.statusCode} ${body}`))
            })
          },
        )
        call.on('error', reject)
        call.end()
      }),
  }
}
