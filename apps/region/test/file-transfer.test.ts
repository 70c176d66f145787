/** Transfers with regions that send more than they announced, or so slowly that they would never end. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { type RegionClient, type RegionFileSource, RegionRefusal, RegionUnreachable } from '@roomkeeper/region-protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { digestOf, type LyingRegion, pour, startLyingRegion } from './lying-region.ts'

let region: LyingRegion
afterEach(() => region.stop())

describe('a region that sends more than it announced', () => {
  test('by compression is refused before anything is taken, and is asked for none', async () => {
    const content = Buffer.alloc(20_000_000)
    const sent = gzipSync(gzipSync(content))
    let asked = ''
    region = await startLyingRegion((request, answer) => {
      asked = String(request.headers['accept-encoding'])
      const headers = { 'content-length': sent.length, digest: digestOf(content), 'content-encoding': 'gzip, gzip' }
      answer.writeHead(200, headers).end(sent)
    })
    const opened = region.newClient().getFile('file')
    await expect(opened).rejects.toMatchObject({ name: 'RegionRefusal', status: 502 })
    expect(asked).toBe('identity')
  })

  test('in the rest after a broken connection is not taken beyond its end', async () => {
    const content = randomBytes(1000)
    let answers = 0
    let surplus = () => 0
    region = await startLyingRegion((_, answer) => {
      answers += 1
      if (answers === 1) {
        answer.writeHead(200, { 'content-length': content.length, digest: digestOf(content) })
        answer.write(content.subarray(0, 500), () => answer.destroy())
        return
      }
      answer.writeHead(206, { 'content-length': 500_000_000 })
      surplus = pour(answer, 500_000_000)
    })
    const { content: found, size } = await region.newClient().getFile('file')
    let taken = 0
    const reading = (async () => {
      for await (const chunk of found) taken += chunk.length
    })()
    await expect(reading).rejects.toBeInstanceOf(RegionRefusal)
    expect([size, answers]).toEqual([1000, 2])
    expect(taken).toBeLessThanOrEqual(1000)
    expect(surplus()).toBeLessThan(100_000_000)
  })

  test('than the file that it had made is not opened', async () => {
    const content = randomBytes(1000)
    region = await startLyingRegion((_, answer) => {
      answer.writeHead(200, { 'content-length': content.length, digest: digestOf(content) }).end(content)
    })
    const sha256 = createHash('sha256').update(content).digest('hex')
    const client = region.newClient()
    const refused = { name: 'RegionRefusal', isTransient: false }
    await expect(client.getFile('file', { size: 999, sha256 })).rejects.toMatchObject(refused)
    await expect(client.getFile('file', { size: 1000, sha256: '0'.repeat(64) })).rejects.toMatchObject(refused)
    const { content: same } = await client.getFile('file', { size: 1000, sha256 })
    expect(Buffer.concat(await same.toArray())).toEqual(content)
  })
})

test('what is wrong with a file on its way from region to region is told as it is, and not tried again', async () => {
  const content = randomBytes(1000)
  let tries = 0
  region = await startLyingRegion((asked, answer) => {
    if (asked.method === 'GET') {
      answer.writeHead(200, { 'content-length': content.length, digest: digestOf(content) }).end(content)
      return
    }
    asked.resume()
    if (!String(asked.headers['content-range']).startsWith('bytes */')) return
    tries += 1
    answer.end(JSON.stringify({ id: 'file', size: 1000, received: 0, complete: false, sha256: null }))
  })
  const client = region.newClient()
  const made = { size: 1000, sha256: '0'.repeat(64) }
  const source = {
    ...made,
    async *open() {
      yield* (await client.getFile('file', made)).content
    },
  }
  await expect(client.putFile('file', source)).rejects.toThrow('another file')
  expect(tries).toBe(1)
})

test('what the sender itself fails with is told as it is, and not tried again', async () => {
  let tries = 0
  region = await startLyingRegion((asked, answer) => {
    asked.resume()
    if (!String(asked.headers['content-range']).startsWith('bytes */')) return
    tries += 1
    answer.end(JSON.stringify({ id: 'file', size: 1000, received: 0, complete: false, sha256: null }))
  })
  const lost = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' })
  const source = {
    size: 1000,
    sha256: '0'.repeat(64),
    async *open() {
      yield Buffer.alloc(500)
      throw lost
    },
  }
  await expect(region.newClient().putFile('file', source)).rejects.toBe(lost)
  expect(tries).toBe(1)
})

describe('a region whose files creep', () => {
  const size = 400_000_000
  const announced = { 'content-length': size, digest: digestOf(Buffer.alloc(0)) }
  const source = {
    size,
    sha256: '0'.repeat(64),
    async *open(first: number) {
      for (let at = first; at < size; at += 65_536) yield Buffer.alloc(Math.min(65_536, size - at))
    },
  }
  const told = (answer: ServerResponse, received: number) => {
    answer.end(JSON.stringify({ id: 'file', size, received, complete: false, sha256: null }))
  }
  const asksForProgress = ({ headers }: IncomingMessage) => String(headers['content-range']).startsWith('bytes */')

  test('is given up when it sends a byte now and then', async () => {
    region = await startLyingRegion((_, answer) => {
      answer.writeHead(200, announced)
      const timer = setInterval(() => answer.write('x'), 10)
      answer.on('close', () => clearInterval(timer))
    })
    const client = region.newClient({ slowest: { bytes: 10_000, seconds: 0.5 } })
    const { content } = await client.getFile('file')
    await expect(content.toArray()).rejects.toThrow('hardly gets on')
  })

  test('is given up when it sends one more byte with each connection', async () => {
    region = await startLyingRegion(({ headers }, answer) => {
      answer.writeHead(headers.range === undefined ? 200 : 206, announced)
      answer.write('x', () => answer.destroy())
    })
    const client = region.newClient({ slowest: { bytes: 10_000, seconds: 0.5 } })
    const { content } = await client.getFile('file')
    await expect(content.toArray()).rejects.toBeInstanceOf(RegionUnreachable)
  })

  test('is given up when it takes little of what it is sent', async () => {
    region = await startLyingRegion((asked, answer) => {
      if (asksForProgress(asked)) return told(answer, 0)
      const timer = setInterval(() => asked.read(65_536), 50)
      asked.on('close', () => clearInterval(timer))
    })
    const client = region.newClient({ slowest: { bytes: 20_000_000, seconds: 1 } })
    await expect(client.putFile('file', source)).rejects.toThrow('hardly gets on')
  })

  test('is given up when it keeps one more byte of each try', async () => {
    let received = 0
    region = await startLyingRegion((asked, answer) => {
      if (asksForProgress(asked)) return told(answer, received++)
      asked.once('data', () => asked.destroy())
    })
    const client = region.newClient({ slowest: { bytes: 10_000, seconds: 0.5 } })
    await expect(client.putFile('file', source)).rejects.toBeInstanceOf(RegionUnreachable)
    expect(received).toBeGreaterThanOrEqual(4)
  })

  test('but gets on, is read and written to the end, however often it breaks off', async () => {
    const content = randomBytes(120)
    const kept: Buffer[] = []
    region = await startLyingRegion(async (asked, answer) => {
      const { length } = Buffer.concat(kept)
      const info = { id: 'file', size: content.length, received: length, complete: false, sha256: null }
      if (asked.method === 'PUT') {
        if (asksForProgress(asked)) {
          answer.end(JSON.stringify(info))
          return
        }
        const rest = await buffer(asked)
        kept.push(rest.subarray(0, 20))
        if (rest.length > 20) answer.destroy()
        else answer.end(JSON.stringify({ ...info, received: content.length, complete: true }))
        return
      }
      const first = Number(/\d+/.exec(asked.headers.range ?? '0'))
      answer.writeHead(first === 0 ? 200 : 206, {
        'content-length': content.length - first,
        digest: digestOf(content),
      })
      answer.write(content.subarray(first, first + 20), () => answer.destroy())
    })
    const client = region.newClient({ slowest: { bytes: 10, seconds: 0 } })
    const sha256 = createHash('sha256').update(content).digest('hex')
    await client.putFile('file', {
      size: content.length,
      sha256,
      async *open(first) {
        yield content.subarray(first)
      },
    })
    expect(Buffer.concat(kept)).toEqual(content)
    expect(Buffer.concat(await (await client.getFile('file')).content.toArray())).toEqual(content)
  })
})

describe('a file on its way from region to region', () => {
  const content = randomBytes(1000)
  const made = { size: 1000, sha256: createHash('sha256').update(content).digest('hex') }
  const announced = { 'content-length': content.length, digest: digestOf(content) }
  const isPut = ({ method }: IncomingMessage) => method === 'PUT'
  const told = (answer: ServerResponse, received: number) =>
    answer.end(JSON.stringify({ id: 'file', size: 1000, received, complete: received === 1000, sha256: null }))
  const asksForProgress = ({ headers }: IncomingMessage) => String(headers['content-range']).startsWith('bytes */')
  const sourceAt = (client: RegionClient): RegionFileSource => ({
    ...made,
    async *open(firstByte, signal) {
      yield* (await client.getFile('file', { ...made, firstByte, signal })).content
    },
  })

  test('goes on where the target is, without reading again what it has', async () => {
    const asked: (string | undefined)[] = []
    let sent = 0
    const kept: Buffer[] = []
    region = await startLyingRegion(async (call, answer) => {
      const { length } = Buffer.concat(kept)
      if (isPut(call)) {
        if (asksForProgress(call)) return void told(answer, length)
        const rest = await buffer(call)
        kept.push(length === 0 ? rest.subarray(0, 700) : rest)
        return void (length === 0 ? answer.destroy() : told(answer, 1000))
      }
      asked.push(call.headers.range)
      expect(call.headers['if-range'] ?? `"${made.sha256}"`).toBe(`"${made.sha256}"`)
      const rest = content.subarray(Number(/\d+/.exec(call.headers.range ?? '0')))
      sent += rest.length
      answer.writeHead(rest.length === 1000 ? 200 : 206, { ...announced, 'content-length': rest.length }).end(rest)
    })
    const client = region.newClient()
    await client.putFile('file', sourceAt(client))
    expect(Buffer.concat(kept)).toEqual(content)
    expect([asked, sent]).toEqual([[undefined, 'bytes=700-'], 1300])
  })

  test('asks its source for nothing when all of it has arrived', async () => {
    let reads = 0
    region = await startLyingRegion((_, answer) => {
      reads += 1
      answer.writeHead(416).end()
    })
    const { content: none } = await region.newClient().getFile('file', { ...made, firstByte: 1000 })
    expect([await none.toArray(), reads]).toEqual([[], 0])
  })

  test('is not given up by the target because its source pauses', async () => {
    let tries = 0
    region = await startLyingRegion(async (call, answer) => {
      if (asksForProgress(call)) return void told(answer, 0)
      tries += 1
      // In each of these pauses, the target's time limit would have run out if it counted the source's pauses.
      await buffer(call)
      told(answer, 1000)
    })
    const pause = () => once(AbortSignal.timeout(1500), 'abort')
    await region.newClient({ timeoutSeconds: 1 }).putFile('file', {
      ...made,
      async *open() {
        await pause()
        yield content.subarray(0, 500)
        await pause()
        yield content.subarray(500)
      },
    })
    // If the time limit had ended them, there would be four tries. One such try is allowed, for a machine under load.
    expect(tries).toBeLessThan(4)
  })

  test('is not read on when the target has ended the try', async () => {
    const { promise: closed, resolve: close } = Promise.withResolvers<void>()
    region = await startLyingRegion(async (call, answer) => {
      if (isPut(call)) {
        if (asksForProgress(call)) return void told(answer, 0)
        await once(call, 'data')
        return void answer.writeHead(507).end()
      }
      answer.on('close', close)
      answer.writeHead(200, announced).write(content.subarray(0, 500))
    })
    const client = region.newClient()
    await expect(client.putFile('file', sourceAt(client))).rejects.toMatchObject({ status: 507 })
    await closed
  })

  test('whose source creeps names the source, and says nothing about the target', async () => {
    region = await startLyingRegion(async (call, answer) => {
      if (isPut(call)) {
        if (asksForProgress(call)) return void told(answer, 0)
        return void call.resume()
      }
      answer.writeHead(200, announced).write(content.subarray(0, 500))
      for (let at = 500; at < 900 && !answer.destroyed; at += 1) {
        await once(AbortSignal.timeout(50), 'abort')
        answer.write(content.subarray(at, at + 1))
      }
    })
    const outcomes = new Set<string>()
    const clientOf = (name: string) => {
      const onOutcome = (outcome: string) => void outcomes.add(`${name} ${outcome}`)
      return region.newClient({ region: name, onOutcome, slowest: { bytes: 10_000, seconds: 0.5 } })
    }
    const moved = clientOf('target').putFile('file', sourceAt(clientOf('source')))
    await expect(moved).rejects.toMatchObject({ name: 'RegionUnreachable', region: 'source' })
    expect(outcomes).toEqual(new Set(['target answers', 'source answers']))
  })

  test('of which the source has another now is refused', async () => {
    region = await startLyingRegion((_, answer) => {
      answer.writeHead(200, announced).end(content)
    })
    const { content: rest } = await region.newClient().getFile('file', { ...made, firstByte: 700 })
    await expect(rest.toArray()).rejects.toMatchObject({ name: 'RegionRefusal', status: 409, isTransient: false })
  })
})
