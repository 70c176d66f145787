/** Content that comes over HTTP from somebody who may keep us waiting. */
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { arriving } from './arriving.ts'

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
  // It fails with its answer, of which the test hears anyway.
  request.on('error', () => undefined)
  return answer
}

test('that falls silent is given up, and the connection is closed', async () => {
  sends = (answer) => answer.write('x')
  await expect(buffer(arriving(await asked(), { silentSeconds: 0.2 }))).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  await closed
})
