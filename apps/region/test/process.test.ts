import { once } from 'node:events'
import { readdir, readFile, rm, utimes } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startTraceCollector } from '@roomkeeper/dev-env'
import { afterEach, expect, test } from 'vitest'
import { faultsLeft, setFaults } from './injected-faults.ts'
import { startLyingRegion } from './lying-region.ts'
import { eventually, launch, newCreation, newDataDir, type RegionProcess, startRegion } from './region-process.ts'

const regions: RegionProcess[] = []
async function start(env: Record<string, string> = {}): Promise<RegionProcess> {
  const region = await startRegion(env)
  regions.push(region)
  return region
}
const folders: string[] = []
async function newFolder(): Promise<string> {
  const folder = await newDataDir()
  folders.push(folder)
  return folder
}
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
  for (const region of regions.splice(0)) await region.remove()
})

test('it prints its address, answers healthz, and ends in order on SIGTERM', async () => {
  const region = await start()
  expect(region.output()).toContain(`listens at ${region.url}`)
  expect((await fetch(`${region.url}/healthz`)).status).toBe(200)
  const exit = once(region.child, 'exit')
  region.child.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
})

test('it finishes the request under way before it ends', async () => {
  const region = await start()
  await region.client.status()
  await setFaults(region, [{ method: 'PUT', path: '/region/v1/rooms/', action: 'delay', milliseconds: 500 }])
  const creation = region.client.createRoom('alpha', newCreation())
  await eventually(async () => (await faultsLeft(region)).length === 0)
  const exit = once(region.child, 'exit')
  region.child.kill('SIGTERM')
  expect((await creation).name).toBe('alpha')
  expect(await exit).toEqual([0, null])
})

test('a job that runs is broken off when it stops, and those behind it never begin; all are told as interrupted', async () => {
  const [collector, target] = await Promise.all([startTraceCollector(), startLyingRegion(() => undefined)])
  const region = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' })
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  const client = region.newClient({ traced: (_, send) => send({ traceparent }) })
  await client.createRoom('alpha', newCreation())
  const to = { url: target.url, file: 'there', ticket: 'ticket' }
  await client.startJob('hangs', { type: 'backupRoom', room: 'alpha', to })
  const waiting = ['waits-1', 'waits-2', 'waits-3']
  for (const id of waiting) await client.startJob(id, { type: 'digestRoom', room: 'alpha' })
  await eventually(async () => (await client.job('hangs')).state === 'running')
  const exit = once(region.child, 'exit')
  region.child.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
  const told = collector.spans.filter(({ name }) => /^job (backupRoom|digestRoom)$/.test(name))
  expect(told.map(({ attributes, events }) => [attributes['roomkeeper.job.id'], events]).toSorted()).toEqual([
    ['hangs', ['begins']],
    ...waiting.map((id) => [id, []]),
  ])
  expect(new Set(told.map(({ attributes }) => attributes['roomkeeper.job.state']))).toEqual(new Set(['interrupted']))
  const again = await region.again()
  regions.push(again)
  for (const id of ['hangs', ...waiting]) expect((await again.client.job(id)).state).toBe('interrupted')
  target.stop()
  await collector.stop()
})

test('what seems to be old when it starts is kept for the first hour: its clock may not be set yet', async () => {
  const region = await start()
  await region.client.createRoom('alpha', newCreation())
  const { file } = await region.client.runJob('backup', { type: 'backupRoom', room: 'alpha' })
  await region.kill()
  const database = new DatabaseSync(join(region.dataDir, 'region.db'))
  database.exec(`UPDATE jobs SET endedAt = '2020-01-01T00:00:00.000Z'`)
  database.close()
  await utimes(join(region.dataDir, 'files', file, 'meta.json'), 0, 0)
  const again = await region.again()
  regions.push(again)
  expect((await again.client.job('backup')).state).toBe('done')
  expect(await readdir(join(region.dataDir, 'files'))).toContain(file)
})

test('it ends when the process that started it is gone', async () => {
  const region = await start()
  const exit = once(region.child, 'exit')
  region.child.disconnect()
  expect(await exit).toEqual([0, null])
})

test('it ends when that process is gone before it has started', async () => {
  const { child } = launch({ REGION_DATA_DIR: await newFolder() })
  const exit = once(child, 'exit')
  child.disconnect()
  expect(await exit).toEqual([1, null])
})

// shows: region-instance
test('a region is the same one after a kill, under another name and port, and of two starts at once only one makes it', async () => {
  const dataDir = await newFolder()
  const both = await Promise.allSettled([startRegion({}, dataDir), startRegion({}, dataDir)])
  const [first, ...more] = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  if (first === undefined) throw new Error('None of them started.')
  expect(more).toEqual([])
  const { instanceId } = await first.client.status()
  expect(instanceId).toMatch(/^[0-9a-f-]{36}$/)
  await first.kill()
  const again = await first.again({ REGION_NAME: 'renamed', REGION_PASSWORD: 'region password' })
  regions.push(again)
  expect(await again.client.status()).toMatchObject({ name: 'renamed', instanceId })
  const other = await start()
  expect((await other.client.status()).instanceId).not.toBe(instanceId)
}, 30_000)

test('a wrong setting stops the start with one line', async () => {
  const { child, output } = launch({ REGION_DATA_DIR: await newFolder(), REGION_PORT: 'none' })
  expect((await once(child, 'exit'))[0]).toBe(1)
  expect(output().trim().split('\n')).toEqual([
    "REGION_PORT must be a number from 0 to 65535 (0: any free port), not 'none'.",
  ])
})

test('a second region on the same folder does not start, nor one on a port that is taken', async () => {
  const region = await start()
  const { port } = new URL(region.url)
  const second = launch({ REGION_DATA_DIR: region.dataDir })
  const third = launch({ REGION_DATA_DIR: await newFolder(), REGION_PORT: port })
  expect((await once(third.child, 'exit'))[0]).toBe(1)
  expect(third.output()).toMatch(/^listen EADDRINUSE[^\n]*\n$/)
  expect((await once(second.child, 'exit'))[0]).toBe(1)
  expect(second.output()).toBe('The data folder is used by another region server.\n')
})

test('what is no HTTP, and headers that are too long, do no harm', async () => {
  const region = await start()
  const socket = connect(Number(new URL(region.url).port), '127.0.0.1')
  socket.end('nonsense\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1.1 400 /)
  const long = await fetch(`${region.url}/healthz`, { headers: { 'x-long': 'x'.repeat(100_000) } })
  expect(long.status).toBe(431)
  expect((await fetch(`${region.url}/%ff`)).status).toBe(400)
  expect((await fetch(`${region.url}/healthz`)).status).toBe(200)
})

test('right credentials sign in after any number of wrong ones', async () => {
  const region = await start()
  const attempts = Array.from({ length: 40 }, () =>
    fetch(`${region.url}/region/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ userName: 'superuser', password: 'wrong' }),
    }).then(({ status }) => status),
  )
  await Promise.race(attempts)
  expect((await region.newClient().status()).name).toBe('test')
  const statuses = await Promise.all(attempts)
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  expect(statuses.filter((status) => status === 401)).toHaveLength(10)
})

test.skipIf(process.platform !== 'linux')('the processes of its work end with it, however it ends', async () => {
  const region = await start()
  await region.client.createRoom('alpha', newCreation())
  await region.client.runJob(crypto.randomUUID(), { type: 'digestRoom', room: 'alpha' })
  const children = await childrenOf(region.child.pid)
  expect(children.length).toBeGreaterThan(0)
  await region.kill()
  await eventually(async () => (await Promise.all(children.map(isRunning))).every((running) => !running))
})

async function childrenOf(pid: number | undefined): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = await Promise.all(pids.map(async (each) => parentOf(await statOf(each))))
  return pids.filter((_, index) => parents[index] === String(pid))
}

async function isRunning(pid: string): Promise<boolean> {
  const [state = 'X'] = afterName(await statOf(pid))
  return !['X', 'Z'].includes(state)
}

function statOf(pid: string): Promise<string> {
  return readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
}

/** The fields of /proc/<pid>/stat after the program's name: state, parent, … */
function afterName(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function parentOf(stat: string): string | undefined {
  return afterName(stat)[1]
}
