import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { connectionOptions } from './connections.ts'

/** One piece, far larger than the buffers of both ends together. */
const content = Buffer.alloc(24 * 1024 * 1024, 'x')

test('one large piece is sent to the end to somebody who is slow, for longer than silence may last', async () => {
  const server = createServer(
    connectionOptions({ requestTimeoutSeconds: 30, answerTimeoutSeconds: 2 }).http,
    (_, answer) => {
      answer.end(content)
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1')
  reader.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  let taken = 0
  for await (const chunk of reader) {
    taken += chunk.length
    await pause(15)
  }
  expect(taken).toBeGreaterThan(content.length)
  server.close()
}, 60_000)
