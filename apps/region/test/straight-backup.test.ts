/** Backups that go straight to another region: what either side leaves when the other lies, breaks off or dies. */
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { digestAtEnd, fileInfo, RegionJobFailed, streamWithTicket, ticketHeader } from '@roomkeeper/region-protocol'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { type LyingRegion, startLyingRegion } from './lying-region.ts'
import { eventually, newCreation, type RegionProcess, startRegion } from './region-process.ts'

let region: RegionProcess
const targets: LyingRegion[] = []
beforeAll(async () => {
  region = await startRegion()
})
afterAll(async () => {
  for (const target of targets) target.stop()
  await region.remove()
})

const ticket = 'a-secret-ticket'
let rooms = 0
async function newRoom(): Promise<string> {
  rooms += 1
  return (await region.client.createRoom(`room${rooms}`, newCreation())).name
}

/** @returns how the job ended, and what the target got */
async function packTo(answering: (asked: IncomingMessage, answer: ServerResponse) => unknown) {
  const target = await startLyingRegion((asked, answer) => void answering(asked, answer))
  targets.push(target)
  const [id, room] = [crypto.randomUUID(), await newRoom()]
  const to = { url: target.url, file: 'there', ticket }
  const ended = await region.client
    .runJob(id, { type: 'backupRoom', room, to, digest: true })
    .catch((error: unknown) => error)
  expect(JSON.stringify(await region.client.job(id))).not.toContain(ticket)
  expect(region.output()).not.toContain(ticket)
  expect(await readdir(join(region.dataDir, 'files'))).not.toContain(id)
  expect(await readdir(join(region.dataDir, 'work'))).toEqual([])
  return { ended, room }
}

const told = (answer: ServerResponse, file: object) =>
  answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: 'there', ...file }))

const lies: Record<string, (asked: IncomingMessage, answer: ServerResponse) => unknown> = {
  'breaks off while it reads': (asked) => asked.once('data', () => asked.destroy()),
  'refuses before it has read, and reads no more': (_, answer) =>
    answer.writeHead(401, { connection: 'close', 'content-type': 'application/problem+json' }).end('{}'),
  'says that it has another content': async (asked, answer) => {
    const { length } = Buffer.concat(await asked.toArray())
    told(answer, { size: length - 32, received: length - 32, complete: true, sha256: '0'.repeat(64) })
  },
  'says that it does not have all': async (asked, answer) => {
    const content = Buffer.concat(await asked.toArray()).subarray(0, -32)
    const sha256 = createHash('sha256').update(content).digest('hex')
    told(answer, { size: content.length, received: content.length - 1, complete: false, sha256 })
  },
  'answers without end': (asked, answer) => {
    asked.resume()
    answer.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      while (!answer.destroyed && answer.write('"'.repeat(65_536)));
    }
    answer.on('drain', more)
    more()
  },
  redirects: (asked, answer) => {
    asked.resume()
    answer.writeHead(307, { location: `${region.url}${asked.url}` }).end()
  },
}

test.each(Object.entries(lies))('a target that %s fails the job, and the source keeps nothing', async (_, lie) => {
  const { ended, room } = await packTo(lie)
  expect(ended).toBeInstanceOf(RegionJobFailed)
  expect(ended).toMatchObject({ type: 'urn:roomkeeper-region:file-not-sent', isTransient: true })
  // Nothing holds the room.
  const { size } = await region.client.runJob(crypto.randomUUID(), { type: 'backupRoom', room })
  expect(size).toBeGreaterThan(0)
})

it('a target that answers for what has come so far is not believed, and gets nothing more', async () => {
  const hash = createHash('sha256')
  let arrived = 0
  const target = await startLyingRegion((asked, answer) => {
    asked.on('error', () => undefined)
    asked.on('data', (piece: Buffer) => {
      arrived += piece.byteLength
      hash.update(piece)
      if (arrived === 1000)
        told(answer, { size: 1000, received: 1000, complete: true, sha256: hash.copy().digest('hex') })
    })
  })
  targets.push(target)
  async function* content() {
    yield Buffer.alloc(1000, 1)
    await sleep(200)
    yield Buffer.alloc(1000, 2)
  }
  const sending = streamWithTicket({ url: target.url, file: 'there', ticket }, content(), AbortSignal.timeout(10_000))
  await expect(sending).rejects.toMatchObject({ status: 502 })
  await sleep(100)
  expect(arrived).toBe(1000)
})

it('a backup that is cancelled while the target does not read ends at once, and the source keeps nothing', async () => {
  const target = await startLyingRegion(() => undefined)
  targets.push(target)
  const [id, room] = [crypto.randomUUID(), await newRoom()]
  const to = { url: target.url, file: 'there', ticket }
  await region.client.startJob(id, { type: 'backupRoom', room, to })
  await eventually(async () => (await region.client.job(id)).state === 'running')
  expect(await region.client.cancelJob(id)).toMatchObject({ state: 'failed', error: { status: 409 } })
  expect(await readdir(join(region.dataDir, 'work'))).toEqual([])
})

describe('a file of unknown content', () => {
  const content = randomBytes(3_000_000)
  const end = createHash('sha256').update(content).digest()

  async function beginSending(id: string): Promise<ClientRequest> {
    const opened = await region.client.openUpload(id, { sizeAtMost: content.length })
    const sending = request(`${region.url}/region/v1/files/${id}`, {
      method: 'PUT',
      headers: {
        authorization: ticketHeader(opened?.ticket ?? ''),
        'content-type': 'application/octet-stream',
        [digestAtEnd.name]: digestAtEnd.value,
      },
    })
    sending.on('error', () => undefined)
    sending.write(content.subarray(0, 2_000_000))
    await eventually(async () => (await arriving()).length === 1)
    return sending
  }

  const arriving = async () => (await readdir(join(region.dataDir, 'files'))).filter((name) => name.startsWith('.new-'))

  async function answerTo(sending: ClientRequest): Promise<{ status: number; text: string }> {
    const answer = await new Promise<IncomingMessage>((resolve) => sending.once('response', resolve))
    return { status: answer.statusCode ?? 0, text: Buffer.concat(await answer.toArray()).toString() }
  }

  it('for more than there is space for gets no ticket', async () => {
    await expect(region.client.openUpload('huge', { sizeAtMost: 1e15 })).rejects.toMatchObject({ status: 507 })
  })

  it('that breaks off leaves nothing', async () => {
    const sending = await beginSending('broken')
    sending.destroy()
    await eventually(async () => (await arriving()).length === 0)
    await expect(region.client.getFile('broken')).rejects.toMatchObject({ status: 404 })
  })

  it('arrives in pieces of any length', async () => {
    const sending = await beginSending('in-pieces')
    for (const piece of [content.subarray(2_000_000), end.subarray(0, 1), end.subarray(1, 20), end.subarray(20)]) {
      sending.write(piece)
      await new Promise((resolve) => setImmediate(resolve))
    }
    sending.end()
    const { text } = await answerTo(sending)
    expect(fileInfo.parse(JSON.parse(text))).toMatchObject({ complete: true, sha256: end.toString('hex') })
    const path = join(region.dataDir, 'files', 'in-pieces', 'content')
    expect(content.equals(await readFile(path))).toBe(true)
  })

  it('that is removed while it arrives does not come back', async () => {
    const sending = await beginSending('removed')
    await region.client.deleteFile('removed')
    sending.write(content.subarray(2_000_000))
    sending.end(end)
    await eventually(async () => (await arriving()).length === 0)
    await expect(region.client.getFile('removed')).rejects.toMatchObject({ status: 404 })
  })

  it('gives way to a newer upload under its id', async () => {
    const sending = await beginSending('overtaken')
    const newer = await region.client.openUpload('overtaken', { sizeAtMost: content.length })
    const answer = await fetch(`${region.url}/region/v1/files/overtaken`, {
      method: 'PUT',
      headers: {
        authorization: ticketHeader(newer?.ticket ?? ''),
        'content-type': 'application/octet-stream',
        [digestAtEnd.name]: digestAtEnd.value,
      },
      body: Buffer.concat([content, end]),
    })
    expect(answer.status).toBe(200)
    sending.destroy()
    expect(await arriving()).toEqual([])
  })

  it('that falls silent is given up', async () => {
    const former = region
    region = await startRegion({ REGION_REQUEST_TIMEOUT_SECONDS: '1' })
    try {
      const sending = await beginSending('silent')
      expect(await answerTo(sending)).toMatchObject({ status: 408 })
      await eventually(async () => (await arriving()).length === 0)
    } finally {
      await region.remove()
      region = former
    }
  })

  it('is gone with its ticket when the region is killed while it arrives', async () => {
    const sending = await beginSending('killed')
    await region.kill()
    sending.destroy()
    region = await region.again()
    expect(await arriving()).toEqual([])
    await expect(region.client.getFile('killed')).rejects.toMatchObject({ status: 404 })
  })
})
