/** A region that sends or names a different backup than it should have made: it does not count, and nothing stays. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type LyingStore, startLyingStore } from './lying-store.ts'
import { isOwnFile } from './own-files.ts'

let network: Network
let region: {
  url: string
  sends: (truth: Buffer) => { content: Buffer; digestOf: Buffer }
  /** If set, every file is announced with this many bytes, and they are sent. */
  fileBytes: number | null
  /** How many of these bytes were sent. */
  sentBytes: number
  /** The result of jobs that back up to the object store. The region writes nothing there. */
  jobResult: object
  stop(): void
}
let store: LyingStore
beforeAll(async () => {
  store = await startLyingStore()
  network = await bootNetwork({
    regions: 1,
    env: {
      OBJECT_STORE_URI: 's3://bucket/backups',
      OBJECT_STORE_ENDPOINT: store.endpoint,
      OBJECT_STORE_ACCESS_KEY: 'access',
      OBJECT_STORE_SECRET_KEY: 'secret',
    },
  })
  region = await startDeceiver(network.regions[0]?.url ?? '')
  await network.database.rows('update regions set url = $1, instance_id = null', [region.url])
})
afterAll(async () => {
  await network?.stop()
  region?.stop()
  await store?.stop()
})

const changed = (truth: Buffer) => {
  const other = Buffer.from(truth)
  other.writeUInt8(other.readUInt8(100) ^ 1, 100)
  return other
}

describe.each<[string, string, (truth: Buffer) => { content: Buffer; digestOf: Buffer }]>([
  ['other bytes under the announced SHA-256', 'failed', (truth) => ({ content: changed(truth), digestOf: truth })],
  ['fewer bytes', 'ended', (truth) => ({ content: truth.subarray(0, -1), digestOf: truth })],
  ['another file that is whole', 'ended', (truth) => ({ content: changed(truth), digestOf: changed(truth) })],
  ['a longer file that is whole', 'ended', (truth) => double(truth)],
])('%s', (_, outcome, sends) => {
  let room: string
  beforeEach(async () => {
    room = await network.newRoom()
    region.sends = sends
    await network.admin.call('suspendRoom', { body: { roomName: room } })
    await network.settle()
  })

  it('is no backup, and leaves nothing in the store', async () => {
    const { body } = await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: false } })
    const { operationId } = body
    // This may be a transmission error, so the operation retries until somebody stops it.
    await until('it was noticed', async () =>
      (await told(operationId)).some((text) => /another|not the one/.test(text)),
    )
    expect(await recorded(room)).toEqual([])
    if (outcome === 'failed') await network.admin.call('cancelOperation', { params: { id: operationId } })
    await network.settle()
    expect(await recorded(room)).toEqual([])
    expect(await stored()).toEqual([])
  })
})

const other = { location: 's3://bucket/backups/of-another-room.zip', size: 1000, sha256: '0'.repeat(64) }
describe.each([
  ['the place of another backup', other],
  ['a place that is none', { ...other, location: 'nowhere' }],
  ['a size below nothing', { ...other, size: -1 }],
  ['a digest that is none', { ...other, sha256: 'none' }],
])('%s', (_, jobResult) => {
  it('is no backup in the object store, and nothing is removed but what the console named', async () => {
    const room = await network.newRoom()
    region.jobResult = jobResult
    await network.admin.call('suspendRoom', { body: { roomName: room } })
    await network.settle()
    store.calls.length = 0
    const { body } = await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: true } })
    // An answer of an unknown form may be a proxy's fault, so the operation retries until somebody stops it.
    await until('it was noticed', async () =>
      (await told(body.operationId)).some((text) =>
        /another location|not as the protocol says: (size|sha256): expected/.test(text),
      ),
    )
    await network.admin.call('cancelOperation', { params: { id: body.operationId } }).catch(() => undefined)
    await network.settle()
    expect(await recorded(room)).toEqual([])
    const removed = store.calls.filter(({ method }) => method === 'DELETE')
    expect(removed).not.toEqual([])
    expect(removed.filter(({ path }) => !path.includes(body.operationId) && !path.includes(room))).toEqual([])
  })
})

describe('a file of another size than the one that was made', () => {
  it('is not fetched, and the backup fails', async () => {
    const room = await network.newRoom()
    region.fileBytes = 500_000_000
    await network.admin.call('suspendRoom', { body: { roomName: room } })
    await network.settle()
    const { body } = await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: false } })
    await network.settle()
    region.fileBytes = null
    expect(await told(body.operationId)).toContainEqual(expect.stringContaining('another file'))
    expect(await recorded(room)).toEqual([])
    // Only what fits into the buffers on the way was sent in each try.
    expect(region.sentBytes).toBeLessThan(100_000_000)
  })
})

function double(truth: Buffer) {
  const content = Buffer.concat([truth, truth])
  return { content, digestOf: content }
}

async function told(operationId: string): Promise<string[]> {
  const rows = await network.database.rows<{ text: string }>('select text from operation_log where operation_id = $1', [
    operationId,
  ])
  return rows.map(({ text }) => text)
}

function recorded(room: string): Promise<unknown[]> {
  return network.database.rows('select id from room_backups where room_name = $1', [room])
}

async function stored(): Promise<string[]> {
  const entries = await readdir(join(network.dir, 'server', 'backups'), { recursive: true, withFileTypes: true })
  return entries.filter((each) => each.isFile() && !isOwnFile(each.name)).map((each) => each.name)
}

function* counted(told: { sentBytes: number }, bytes: number): Generator<Buffer> {
  const chunk = Buffer.alloc(1_000_000)
  for (let sent = 0; sent < bytes; sent += chunk.length) {
    told.sentBytes += chunk.length
    yield chunk
  }
}

/** Forwards the region's answers, except the content of files and the results of backups to the object store. */
async function startDeceiver(url: string): Promise<typeof region> {
  const backups = new Set<string>()
  const server = createServer(async (asked, answer) => {
    const { method, url: path = '/', headers } = asked
    const [job = ''] = path.split('?')
    const body = path.includes('/jobs/') ? Buffer.concat(await asked.toArray()) : null
    if (body?.includes('"backupToObjectStore"')) backups.add(job)
    if (backups.has(job)) {
      const done = { id: basename(job), type: 'backupToObjectStore', room: 'room', state: 'done', progress: 1 }
      answer.writeHead(200, { 'content-type': 'application/json' })
      answer.end(JSON.stringify({ ...done, lines: [], result: deceiver.jobResult, error: null }))
      return
    }
    const passed = request(url + path, { method, headers: { ...headers, 'accept-encoding': 'identity' } })
    if (body === null) asked.pipe(passed)
    else passed.end(body)
    passed.on('error', () => answer.destroy())
    passed.on('response', async (said) => {
      const { statusCode = 502, headers: heads } = said
      const isFile = path.includes('/files/') || path.endsWith('/file')
      if (method !== 'GET' || !isFile || statusCode >= 300) {
        answer.writeHead(statusCode, heads)
        said.pipe(answer)
        return
      }
      if (deceiver.fileBytes !== null && path.includes('/files/')) {
        said.resume()
        answer.writeHead(200, { ...heads, 'content-length': deceiver.fileBytes })
        // The pipeline fails when the console closes the connection.
        await pipeline(Readable.from(counted(deceiver, deceiver.fileBytes)), answer).catch(() => undefined)
        return
      }
      const { content, digestOf } = deceiver.sends(Buffer.concat(await said.toArray()))
      const digest = `sha-256=${createHash('sha256').update(digestOf).digest('base64')}`
      const { 'transfer-encoding': _, ...others } = heads
      answer.writeHead(200, { ...others, digest, 'content-length': content.length }).end(content)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const deceiver: typeof region = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sends: (truth) => ({ content: truth, digestOf: truth }),
    fileBytes: null,
    sentBytes: 0,
    jobResult: {},
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
  return deceiver
}
