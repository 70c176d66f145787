import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { type RegionClient, type RegionFileSource, RegionRefusal, RegionUnreachable } from '@roomkeeper/region-protocol'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { newCreation, type RegionProcess, startRegion, toldRoom } from './region-process.ts'

let region: RegionProcess
beforeAll(async () => {
  region = await startRegion()
})
afterAll(() => region.remove())

/** A proxy before the region that breaks its first `breaks` connections after this many bytes in one direction. */
async function breakingProxy(breaks: number, afterBytes: number, direction: 'up' | 'down') {
  let left = breaks
  const sockets = new Set<Socket>()
  const server: Server = createServer((near) => {
    const far = connect(Number(new URL(region.url).port), '127.0.0.1')
    let bytes = 0
    const watched = direction === 'up' ? near : far
    watched.on('data', (chunk) => {
      bytes += chunk.length
      if (bytes > afterBytes && left > 0) {
        left -= 1
        near.resetAndDestroy()
        far.resetAndDestroy()
      }
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    brokenConnections: () => breaks - left,
    close,
  }
}

function sourceOf(bytes: Buffer, opened: number[] = []): RegionFileSource {
  return {
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    open: async function* (first) {
      opened.push(first)
      for (let at = first; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
    },
  }
}

test('an upload goes on by itself after broken connections, without sending again what arrived', async () => {
  const proxy = await breakingProxy(3, 2_000_000, 'up')
  const bytes = randomBytes(8_000_000)
  const opened: number[] = []
  const client = region.newClient({}, proxy.url)
  const info = await client.putFile('upload', sourceOf(bytes, opened))
  proxy.close()
  expect([info.complete, proxy.brokenConnections()]).toEqual([true, 3])
  expect(opened.length).toBe(4)
  expect(opened).toEqual([...opened].sort((a, b) => a - b))
  expect(opened.at(-1)).toBeGreaterThan(0)
  const { content } = await region.client.getFile('upload')
  expect(bytes.equals(Buffer.concat(await content.toArray()))).toBe(true)
})

test('a download goes on by itself after broken connections', async () => {
  const bytes = randomBytes(8_000_000)
  await region.client.putFile('download', sourceOf(bytes))
  const proxy = await breakingProxy(3, 2_000_000, 'down')
  const file = await region.newClient({}, proxy.url).getFile('download')
  const found = Buffer.concat(await file.content.toArray())
  proxy.close()
  expect(proxy.brokenConnections()).toBe(3)
  expect([file.size, bytes.equals(found)]).toEqual([bytes.length, true])
})

test('an upload is given up when nothing arrives any more', async () => {
  const proxy = await breakingProxy(100, 0, 'up')
  const sending = region.newClient({}, proxy.url).putFile('never', sourceOf(randomBytes(1000)))
  await expect(sending).rejects.toBeInstanceOf(RegionUnreachable)
  proxy.close()
})

test('after the region forgot the session the client signs in again, once for calls side by side', async () => {
  const first = await startRegion()
  const { port } = new URL(first.url)
  await first.client.status()
  await first.kill()
  const second = await first.again({ REGION_PORT: port })
  try {
    const answers = await Promise.all([1, 2, 3].map(() => first.client.status()))
    expect(answers.map(({ name }) => name)).toEqual(['test', 'test', 'test'])
  } finally {
    await second.remove()
  }
})

// shows: region-redirects
test('a redirect is refused, not followed', async () => {
  let asked = 0
  const server = createHttpServer((_, response) => {
    asked += 1
    response.writeHead(307, { location: `${region.url}/region/v1/session` }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = region.newClient({}, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const error = await client.status().catch((reason: unknown) => reason)
  server.close()
  expect(error).toBeInstanceOf(RegionRefusal)
  expect([(error as RegionRefusal).status, (error as RegionRefusal).isTransient, asked]).toEqual([307, false, 1])
})

test('a region that is not there is unreachable, and says why', async () => {
  const nobody = region.newClient({}, 'http://127.0.0.1:1')
  await expect(nobody.status()).rejects.toMatchObject({ name: 'RegionUnreachable', isTransient: true })
})

/** A region that answers this to every call but a sign-in, and everything else as it should. */
async function regionThatAnswers(answer: { status?: number; body: unknown; session?: object }) {
  const session = answer.session ?? { token: 'token', expiresAt: '2099-01-01T00:00:00Z' }
  const server = createHttpServer((asked, response) => {
    asked.resume()
    const isSignIn = asked.url?.endsWith('/session') === true
    const body = isSignIn ? session : answer.body
    response.writeHead(isSignIn ? 200 : (answer.status ?? 200))
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return region.newClient({}, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

const job = { id: 'job', type: 'digestRoom', room: 'alpha', state: 'done', progress: 1, lines: [], error: null }
const notJson = 'expected JSON of at most a million elements'

/** By what the client asks for: answers, and what is wrong with them. */
const wrongAnswers: Record<string, [(client: RegionClient) => Promise<unknown>, ...[unknown, string][]]> = {
  'answer to GET rooms/{name}': [
    (client) => client.room('alpha'),
    [{ ...toldRoom, size: undefined }, 'size: expected a number, but it is missing'],
    [{ ...toldRoom, size: 1.5 }, 'size: expected a whole number, but it is a number'],
    [{ ...toldRoom, size: -1 }, 'size: expected at least 0, but it is less'],
    [{ ...toldRoom, state: 'ACTIVE' }, 'state: expected "active" or "suspended", but it is another text'],
    [{ ...toldRoom, roomId: 'a secret' }, 'roomId: expected a UUID, but it is another text'],
    [{ ...toldRoom, name: 'A' }, 'name: expected a text that matches /^[a-z][a-z0-9]{2,23}$/, but it is another text'],
    [
      { ...toldRoom, edition: 'x\n' },
      'edition: expected a well-formed text without control characters, but it is another text',
    ],
    [{ ...toldRoom, edition: 'x'.repeat(50) }, 'edition: expected at most 40 characters, but it is more'],
    ['', `${notJson}, but it is empty`],
    ['<html>a captive portal</html>', `${notJson}, but it is none`],
  ],
  'answer to GET rooms': [
    (client) => client.rooms(),
    [{ items: [] }, 'rooms: expected a list, but it is missing'],
    [
      { rooms: [toldRoom, { ...toldRoom, databases: ['a', null] }] },
      'rooms.1.databases.1: expected a text, but it is null',
    ],
  ],
  'answer to GET rooms/{name}/sessions': [
    (client) => client.sessions('alpha'),
    [{ items: [] }, 'expected a list, but it is an object'],
  ],
  'answer to GET jobs/{id}': [
    (client) => client.job('job'),
    [{ ...job, progress: undefined }, 'progress: expected a number, but it is missing'],
    [{ ...job, lines: {} }, 'lines: expected a list, but it is an object'],
    [
      { ...job, lines: [{ n: 1, at: 'now' }] },
      'lines.0.at: expected a time such as 2027-01-31T09:30:00.000Z, but it is another text',
    ],
    [job, 'result: expected a value or null, but it is missing'],
    [{ ...job, result: null, error: undefined }, 'error: expected an object, but it is missing'],
  ],
  'result of the job digestRoom': [
    (client) => client.runJob('job', { type: 'digestRoom', room: 'alpha' }),
    [{ ...job, result: null }, 'expected an object, but it is null'],
    [{ ...job, result: { digest: ['a secret'] } }, 'digest: expected a text, but it is a list'],
  ],
}

test.each(Object.entries(wrongAnswers))(
  'the first wrong field of the %s is named',
  async (what, [call, ...answers]) => {
    for (const [body, wrong] of answers) {
      const message = `The region's ${what} is not as the protocol says: ${wrong}.`
      await expect(call(await regionThatAnswers({ body }))).rejects.toMatchObject({ status: 502, message })
    }
  },
)

test('a session without its end is refused, and neither the token nor any other value is repeated', async () => {
  const client = await regionThatAnswers({ session: { token: 'a secret' }, body: {} })
  const wrong = 'expiresAt: expected a text, but it is missing'
  const message = `The region's answer to POST session is not as the protocol says: ${wrong}.`
  await expect(client.status()).rejects.toMatchObject({ message })
})

test.each<[object | string, object]>([
  [{ title: 'Unknown room' }, { message: 'Unknown room' }],
  [{ title: 7, detail: ['x'], status: 'x' }, { message: 'The region refused it (room-unknown).' }],
  [{ detail: 'No such room.' }, { message: 'No such room.' }],
])('a refusal with a type of the protocol is the region’s, whatever else it lacks: %j', async (more, refusal) => {
  const type = 'urn:roomkeeper-region:room-unknown'
  const client = await regionThatAnswers({ status: 404, body: { type, ...(more as object) } })
  await expect(client.licences('alpha')).rejects.toMatchObject({ name: 'RegionRefusal', status: 404, type, ...refusal })
})

test('a 4xx without a type of the protocol, and a 200 in place of a 204, do not come from a region', async () => {
  const page = await regionThatAnswers({ status: 404, body: { title: 'Not found', status: 404, detail: 'No.' } })
  await expect(page.licences('alpha')).rejects.toMatchObject({
    name: 'RegionUnreachable',
    message: 'The region cannot be reached (something else answers 404 in its place).',
  })
  const talkative = await regionThatAnswers({ body: {} })
  await expect(talkative.deleteRoute('alpha')).rejects.toMatchObject({
    name: 'RegionUnreachable',
    isTransient: true,
    message:
      'The region cannot be reached (something else answers DELETE routes/{name} with 200, where 204 without a body is expected).',
  })
})

test.each([200, 500])('an answer without end, status %i, is not read on', async (status) => {
  let sent = 0
  const megabyte = Buffer.alloc(1 << 20, ' ')
  const server = createHttpServer((_, response) => {
    response.writeHead(status)
    Readable.from(
      (function* () {
        for (; sent < 500; sent++) yield megabyte
      })(),
    ).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = region.newClient({}, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const error = await client.status().catch((reason: unknown) => reason)
  server.closeAllConnections()
  server.close()
  expect(error).toBeInstanceOf(RegionRefusal)
  expect(sent).toBeLessThan(200)
})

test('the caller’s signal ends a call with its own reason', async () => {
  const controller = new AbortController()
  const client = region.newClient({ signal: controller.signal })
  await client.status()
  controller.abort(new Error('shutting down'))
  await expect(client.status()).rejects.toThrow('shutting down')
})

test('following a job reports each line once, in order, and stops on the signal', async () => {
  await region.client.createRoom('alpha', newCreation())
  const numbers: number[] = []
  let last = -1
  await region.client.runJob('follow', { type: 'backupRoom', room: 'alpha' }, undefined, {
    onLines: (lines, progress) => {
      numbers.push(...lines.map(({ n }) => n))
      expect(progress).toBeGreaterThanOrEqual(last)
      last = progress
    },
  })
  expect(numbers.length).toBeGreaterThan(0)
  expect(numbers).toEqual((await region.client.job('follow')).lines.map(({ n }) => n))
  expect(last).toBe(1)
})

test('of the sessions of a room that very many are in, the oldest are listed', async () => {
  await region.client.createRoom('crowd', newCreation())
  const first = await region.client.openSession('crowd', 'owner@example.org')
  const system = new DatabaseSync(join(region.dataDir, 'rooms', 'crowd', 'system.db'))
  system.exec(`
    WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
    INSERT INTO sessions (id, userId, tokenHash, startedAt, lastActiveAt)
    SELECT 'session ' || n, userId, 'hash ' || n, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+1 minute'), lastActiveAt
    FROM numbers, sessions`)
  system.close()
  const listed = await region.client.sessions('crowd')
  expect([listed.length, listed[0]?.id]).toEqual([10_000, first.id])
})

test('an upload is not kept in memory while it is sent', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'x')
  const pieces = 256
  const hash = createHash('sha256')
  for (let index = 0; index < pieces; index += 1) hash.update(piece)
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  const open = async function* () {
    for (let index = 0; index < pieces; index += 1) {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
      yield Buffer.from(piece)
    }
  }
  await region.client.putFile('large', { size: pieces * piece.length, sha256: hash.digest('hex'), open })
  expect(most).toBeLessThan((pieces / 2) * piece.length)
})

test('a room is created by the same body again, also with its id in capitals', async () => {
  const creation = newCreation()
  const created = await region.client.createRoom('capitals', creation)
  const again = { ...creation, roomId: creation.roomId.toUpperCase() }
  expect(await region.client.createRoom('capitals', again)).toEqual(created)
})
