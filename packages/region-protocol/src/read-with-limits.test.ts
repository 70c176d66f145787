/** The content comes over HTTP from a slow sender. */
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readWithLimits } from './read-with-limits.ts'

let sends: (answer: ServerResponse) => void
let server: Server
let closed: Promise<unknown>
beforeEach(async () => {
  const gone = Promise.withResolvers<void>()
  closed = gone.promise
  server = createServer((_, answer) => {
    answer.writeHead(200)
    answer.on('close', gone.resolve)
    sends(answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

async function asked(): Promise<IncomingMessage> {
  const request = get({ port: (server.address() as AddressInfo).port })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  // When the answer fails, the request emits the same error; the test sees it on the answer.
  request.on('error', () => undefined)
  return answer
}

const dripping = (answer: ServerResponse) => {
  const timer = setInterval(() => answer.write('x'), 10)
  answer.on('close', () => clearInterval(timer))
}

test('that creeps is given up, though it never falls silent, and the connection is closed', async () => {
  sends = dripping
  const content = readWithLimits(await asked(), { minimumRate: { bytes: 100_000, seconds: 0.5 } })
  await expect(buffer(content)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  await closed
})

test('that falls silent is given up, and the connection is closed', async () => {
  sends = (answer) => answer.write('x')
  await expect(buffer(readWithLimits(await asked(), { silentSeconds: 0.2 }))).rejects.toMatchObject({
    code: 'ETIMEDOUT',
  })
  await closed
})

test('that is slow but goes on comes to its end', async () => {
  let left = 30
  sends = (answer) => {
    const timer = setInterval(() => {
      left -= 1
      answer.write('x')
      if (left === 0) answer.end()
    }, 10)
    answer.on('close', () => clearInterval(timer))
  }
  const content = readWithLimits(await asked(), { minimumRate: { bytes: 1, seconds: 0 } })
  expect(await buffer(content)).toEqual(Buffer.alloc(30, 'x'))
})
