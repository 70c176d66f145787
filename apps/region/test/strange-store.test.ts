/**
 * An object store whose answers are not S3's, or look like errors of a disk. They are reported as failures of the
 * store.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { locationAt } from './location-at.ts'
import { newCreation, type RegionProcess, startRegion } from './region-process.ts'

let answer: { status: number; body: string; headers?: Record<string, string> } = { status: 200, body: '' }
const store = createServer((asked, reply) => {
  asked.resume()
  reply.writeHead(answer.status, answer.headers).end(answer.body)
})
let region: RegionProcess
let roomId: string
beforeAll(async () => {
  store.listen(0, '127.0.0.1')
  await once(store, 'listening')
  region = await startRegion()
  roomId = (await region.client.createRoom('alpha', newCreation())).roomId
})
afterAll(async () => {
  await region?.remove()
  store.closeAllConnections()
  store.close()
})

const page =
  '<html>\r\n<body>\r\n<center><h1>Sorry</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n'
const inWordsOfADisk = (status: number) => ({
  status,
  body: '<Error><Code>Other</Code><path>/disk</path><code>ENOSPC</code></Error>',
})

test.each([
  [
    'the page of a proxy that is away',
    { status: 502, body: page },
    'object-store-unreachable',
    true,
    'it answered 502',
  ],
  ['the page of a proxy that forbids it', { status: 403, body: page }, 'object-store-refused', false, 'access key'],
  ['the page of a proxy that knows no such place', { status: 404, body: page }, 'object-store-refused', false, '404'],
  [
    'two codes',
    { status: 400, body: '<Error><Code>A</Code><Code>B</Code></Error>' },
    'object-store-refused',
    false,
    '400',
  ],
  ['the words of a full disk', inWordsOfADisk(503), 'object-store-unreachable', true, 'it answered 503'],
  ['the words of a full disk, for good', inWordsOfADisk(400), 'object-store-refused', false, '400 Other'],
])('%s', async (_, said, code, isTransient, words) => {
  answer = said
  const location = locationAt(store)
  const told = { type: `urn:roomkeeper-region:${code}`, isTransient, message: expect.stringContaining(words) }
  const backup = { type: 'backupToObjectStore', room: 'alpha', target: location } as const
  await expect(region.client.runJob(crypto.randomUUID(), backup)).rejects.toMatchObject(told)
  const restore = { type: 'restoreFromObjectStore', room: 'alpha', roomId, source: location } as const
  await expect(region.client.runJob(crypto.randomUUID(), restore)).rejects.toMatchObject(told)
})

test("a proxy's page that all is well keeps nothing, and may pass", async () => {
  answer = { status: 200, body: page }
  const backup = { type: 'backupToObjectStore', room: 'alpha', target: locationAt(store) } as const
  await expect(region.client.runJob(crypto.randomUUID(), backup)).rejects.toMatchObject({
    type: 'urn:roomkeeper-region:object-store-unreachable',
    isTransient: true,
    message: expect.stringContaining('it answered 200'),
  })
})

test("a proxy's page in place of an object is no damaged backup", async () => {
  answer = { status: 200, body: page, headers: { 'content-type': 'text/html; charset=utf-8' } }
  const verification = { type: 'verifyBackup', room: 'alpha', from: { source: locationAt(store) } } as const
  await expect(region.client.runJob(crypto.randomUUID(), verification)).rejects.toMatchObject({
    type: 'urn:roomkeeper-region:object-store-unreachable',
    isTransient: true,
  })
})
