/** Regions that break the protocol: operations end all the same. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRegionClient, type JobInfo, type RegionClient } from '@roomkeeper/region-protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { resultOfJob, runRegionJob, stopRegionJob } from './run-region-job.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

const limits = { stallMilliseconds: 100, stopMilliseconds: 100 }
const input = { type: 'backupRoom', room: 'room' } as const
const failed = { type: 'about:blank', title: 'Busy', status: 503, detail: 'Busy.' }

describe('a region whose job runs for ever', () => {
  it('counts as unreachable once the job has not gone on for long', async () => {
    const region = await regionOf(() => ({ state: 'running' }))
    const running = runRegionJob(callOf(), region, input, 'job', limits)
    await expect(running).rejects.toMatchObject({ name: 'RegionUnreachable' })
  })

  it('counts as unreachable when its progress only goes to and fro', async () => {
    const region = await regionOf((asked) => ({ state: 'running', progress: asked % 2 === 0 ? 0.5 : 0.25 }))
    const running = runRegionJob(callOf(), region, input, 'job', limits)
    await expect(running).rejects.toMatchObject({ name: 'RegionUnreachable' })
  })

  it('counts as unreachable when the job is to be stopped', async () => {
    const region = await regionOf(() => ({ state: 'running' }))
    await expect(stopRegionJob(callOf(), region, 'job', limits)).rejects.toMatchObject({ name: 'RegionUnreachable' })
  })
})

describe('a region that knows every job', () => {
  it('is refused when it says that each has failed', async () => {
    const region = await regionOf(() => ({ state: 'failed', error: failed }))
    const running = runRegionJob(callOf(), region, input, 'job', limits)
    await expect(running).rejects.toMatchObject({ name: 'RegionRefusal', status: 502 })
  })

  it('counts as unreachable when a job is to be stopped, or its result is looked for', async () => {
    const region = await regionOf(() => ({ state: 'failed', error: failed }))
    await expect(stopRegionJob(callOf(), region, 'job', limits)).rejects.toMatchObject({ name: 'RegionUnreachable' })
    const finding = resultOfJob(callOf(), region, 'job', limits)
    await expect(finding).rejects.toMatchObject({ name: 'RegionUnreachable' })
  })
})

it('what a region gives as its reason is text that PostgreSQL takes', async () => {
  const error = { ...failed, status: 400, detail: `a\0b \ud800 ${'x'.repeat(3000)}` }
  const region = await regionOf(() => ({ state: 'failed', error }))
  const reason = await runRegionJob(callOf(), region, input, 'job', limits).catch((thrown: Error) => thrown.message)
  expect(reason).toMatch(/^a b \ufffd x+\u2026?$/)
  expect(String(reason).length).toBeLessThanOrEqual(2000)
})

/** @param answer what the region answers for any job, by the number of the call */
async function regionOf(answer: (asked: number) => Partial<JobInfo>): Promise<RegionClient> {
  let asked = 0
  const made = createServer((request, response) => {
    request.resume()
    const isSession = request.url?.endsWith('/session') === true
    const session = { token: 'token', expiresAt: '2100-01-01T00:00:00Z' }
    const job = { id: 'job', type: 'backupRoom', room: 'room', progress: 0, lines: [], result: null, error: null }
    const body = isSession ? session : { ...job, ...answer(asked++) }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server = made
  made.listen(0, '127.0.0.1')
  await once(made, 'listening')
  const { port } = made.address() as AddressInfo
  return createRegionClient({ url: `http://127.0.0.1:${port}`, userName: 'user', password: 'password' })
}

function callOf() {
  return {
    id: '3f0c1a52-0000-4000-8000-000000000000',
    attempt: 1,
    mark: { key: 'key', operation: '3f0c1a52-0000-4000-8000-000000000000', fence: 1 },
    log: async () => {},
    progress: async () => {},
    signal: new AbortController().signal,
  }
}
