/** Backups that are read while the region packs them: whole at the end, and never taken for whole before. */
import { createHash } from 'node:crypto'
import { readdir, readlink } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { jobHasEnded, RegionJobFailed } from '@roomkeeper/region-protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setFaults } from './injected-faults.ts'
import { eventually, newCreation, type RegionProcess, startRegion } from './region-process.ts'

const room = 'large'
let region: RegionProcess
let token: string
beforeAll(async () => {
  region = await startRegion({ REGION_ANSWER_TIMEOUT_SECONDS: '2' })
  await region.client.createRoom(room, newCreation())
  await region.kill()
  const database = new DatabaseSync(join(region.dataDir, 'rooms', room, 'databases', 'main.db'))
  database.exec(`CREATE TABLE filler (a, b);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
    INSERT INTO filler SELECT i, randomblob(1048576) FROM n; PRAGMA wal_checkpoint(TRUNCATE)`)
  database.close()
  await again()
}, 120_000)
afterAll(() => region.remove())

async function again() {
  region = await region.again()
  const { userName, password } = region.address
  const signedIn = await fetch(`${region.url}/region/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName, password }),
  })
  token = ((await signedIn.json()) as { token: string }).token
}

function ask(job: string): Promise<IncomingMessage> {
  const url = `${region.url}/region/v1/jobs/${job}/file`
  return new Promise((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${token}` }, agent: false }, resolve).on('error', reject)
  })
}

/** Starts a backup and opens its file while it is being written. */
async function opened(job: string): Promise<IncomingMessage> {
  await region.client.startJob(job, { type: 'backupRoom', room })
  for (;;) {
    const answer = await ask(job)
    if (answer.statusCode === 200) return answer
    const problem = Buffer.concat(await answer.toArray()).toString()
    expect(problem).toContain('file-not-begun')
  }
}

async function endOf(answer: IncomingMessage): Promise<{ bytes: number; sha256: string; isWhole: boolean }> {
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.byteLength
    }
  } catch {
    return { bytes, sha256: '', isWhole: false }
  }
  return { bytes, sha256: hash.digest('hex'), isWhole: answer.complete }
}

const beingMade = async () => (await readdir(join(region.dataDir, 'files'))).filter((name) => name.startsWith('.new-'))

/** The files of `files/` that the region has open, also removed ones. */
async function openFiles(): Promise<string[]> {
  const folder = `/proc/${region.child.pid}/fd`
  const paths = await Promise.all((await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => '')))
  return paths.filter((path) => path.startsWith(join(region.dataDir, 'files')))
}
const nothingIsOpen = () => eventually(async () => (await openFiles()).length === 0)

it('is the file that the job makes', async () => {
  const job = crypto.randomUUID()
  const answer = await opened(job)
  expect(answer.headers['content-length']).toBeUndefined()
  expect(jobHasEnded((await region.client.job(job)).state)).toBe(false)
  const read = await endOf(answer)
  const { size, sha256 } = await region.client.runJob(job, { type: 'backupRoom', room })
  expect(read).toEqual({ bytes: size, sha256, isWhole: true })
  await nothingIsOpen()
})

it('is not opened for calls that ask for its head alone, nor is that of a job that has ended', async () => {
  const job = crypto.randomUUID()
  const answer = await opened(job)
  const head = async (path: string) =>
    (await fetch(`${region.url}/region/v1/${path}`, { method: 'HEAD', headers: { authorization: `Bearer ${token}` } }))
      .status
  for (let count = 0; count < 10; count += 1) expect(await head(`jobs/${job}/file`)).toBe(404)
  // The file that is written, and the one that is read.
  expect((await openFiles()).length).toBeLessThanOrEqual(2)
  answer.destroy()
  const { file } = await region.client.runJob(job, { type: 'backupRoom', room })
  expect(await head(`files/${file}`)).toBe(404)
  await nothingIsOpen()
})

it('is read by several at once, and by the client', async () => {
  const job = crypto.randomUUID()
  const [first, followed] = await Promise.all([
    opened(job),
    (async () => {
      for (;;) {
        const found = await region.client.followFile(job, AbortSignal.timeout(60_000))
        if (found !== 'not-begun') return found
      }
    })(),
  ])
  if (followed === 'none') throw new Error('The job makes no file.')
  const hash = createHash('sha256')
  const reading = (async () => {
    for await (const chunk of followed.content) hash.update(chunk)
  })()
  const read = await endOf(first)
  await reading
  const { sha256 } = await region.client.runJob(job, { type: 'backupRoom', room })
  expect([read.sha256, hash.digest('hex')]).toEqual([sha256, sha256])
})

describe('is never taken for whole when', () => {
  it('the job is cancelled, and a reader that takes nothing is cut off, too', async () => {
    const job = crypto.randomUUID()
    const [reading, idle] = [await opened(job), await ask(job)]
    idle.pause()
    idle.on('error', () => undefined)
    const ended = endOf(reading)
    const { state } = await region.client.cancelJob(job)
    expect(state).toBe('failed')
    expect(await ended).toMatchObject({ isWhole: false })
    await nothingIsOpen()
    idle.resume()
    await eventually(() => idle.destroyed)
    expect(idle.complete).toBe(false)
    expect(await beingMade()).toEqual([])
    expect(await region.client.followFile(job, AbortSignal.timeout(10_000))).toBe('none')
  })

  it('the disk is full', async () => {
    await setFaults(region, [{ file: 'write', path: '/content', nth: 60, action: 'ENOSPC' }])
    const job = crypto.randomUUID()
    const read = await endOf(await opened(job))
    expect(read.isWhole).toBe(false)
    const ended = await region.client.runJob(job, { type: 'backupRoom', room }).catch((error: unknown) => error)
    expect(ended).toBeInstanceOf(RegionJobFailed)
    expect(ended).toMatchObject({ status: 507 })
    expect(await beingMade()).toEqual([])
  })

  it('it cannot be brought to disk at the end', async () => {
    await setFaults(region, [{ file: 'sync', path: '/content', action: 'EIO' }])
    const job = crypto.randomUUID()
    const read = await endOf(await opened(job))
    expect(read.isWhole).toBe(false)
    expect((await region.client.job(job)).state).not.toBe('done')
  })

  it('the region is killed', async () => {
    const job = crypto.randomUUID()
    const ended = endOf(await opened(job))
    await region.kill()
    expect((await ended).isWhole).toBe(false)
    await again()
    expect(await beingMade()).toEqual([])
    expect((await region.client.job(job)).state).toBe('interrupted')
    expect((await ask(job)).statusCode).toBe(409)
  })
})

it('a reader that takes nothing neither holds the job up nor stays', async () => {
  const job = crypto.randomUUID()
  const idle = await opened(job)
  idle.on('error', () => undefined)
  idle.pause()
  const { size } = await region.client.runJob(job, { type: 'backupRoom', room })
  expect(size).toBeGreaterThan(200 * 1024 * 1024)
  // What fits into the buffers on the way has been sent, and nothing more.
  expect(idle.socket.bytesRead).toBeLessThan(50_000_000)
  // It is cut off after a while.
  await nothingIsOpen()
  idle.destroy()
})

it('nobody reads it without a session, and no job that makes none is followed', async () => {
  const job = crypto.randomUUID()
  await opened(job)
  const answer = await fetch(`${region.url}/region/v1/jobs/${job}/file`)
  expect(answer.status).toBe(401)
  await region.client.runJob(job, { type: 'backupRoom', room })
  expect((await ask(job)).statusCode).toBe(409)
  expect((await ask('no-such-job')).statusCode).toBe(404)
})
