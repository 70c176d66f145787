/**
 * The cost of operations, measured by creating rooms: commits, WAL and CPU time per room, the load of an idle API
 * process and worker, the duration of a single creation, how soon another worker takes over after a SIGTERM, and how
 * much more workers help when the region is far away.
 */

import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { bootNetwork, type Network, type RunningServer, roomDraft, startFaultProxy } from '@roomkeeper/dev-env'
import { median, table, timed } from '../measure.ts'
import { cpuOf, privateMegabytesOf } from '../process-cost.ts'
import { countingDatabase, type DatabaseCounter } from './database-counter.ts'

export interface OperationsBench {
  /** The number of rooms created where costs per room are measured. */
  rooms: number
  /** How often the creation of a single room, and a takeover, are measured. */
  rounds: number
}

const clients = 32
const idleSeconds = 30
const farMilliseconds = 300
/** So small that two cores carry four workers: what is shown is that each adds its own, not how much two cores do. */
const eachWorker = { REGION_CONCURRENCY: '64', WORKER_OPERATIONS: '4' }
const worker = { PROCESS: 'worker' }

export async function benchOperations({ rooms, rounds }: OperationsBench): Promise<void> {
  const regions = [{ env: { REGION_FAULTS: '1' } }, {}]
  const network = await bootNetwork({ regions, env: { PROCESS: 'api', REGION_CONCURRENCY: '16' } })
  const counter = await countingDatabase(network.database.url)
  try {
    const first = await network.addServer(worker)
    await create(network, 20, 1)
    const idle = await measureIdle(counter, [network.server, first])
    const alone: number[] = []
    for (let round = 0; round < rounds; round++) alone.push(await timed(() => createOne(network, counter)))
    const many = await measureMany(network, counter, [network.server, first], rooms, idle.commits)
    const takeovers = await measureTakeovers(network, counter, first, Math.min(rounds, 10))
    const far = await measureFar(network, rooms)
    print({ idle, alone, many, takeovers, far, rooms })
  } finally {
    await counter.close()
    await network.stop()
  }
}

/** While nobody makes a request: commits per second, CPU in % of a core, and private memory in MiB. */
async function measureIdle(counter: DatabaseCounter, servers: readonly RunningServer[]) {
  const before = { ...(await counter.read()), cpu: cpuOfAll(servers) }
  await pause(idleSeconds * 1000)
  const after = await counter.read()
  const milliseconds = after.at - before.at
  return {
    commits: (after.commits - before.commits) / (milliseconds / 1000),
    cpu: ((cpuOfAll(servers) - before.cpu) / milliseconds) * 100,
    memory: servers.map(({ child }) => privateMegabytesOf(child.pid)),
  }
}

async function createOne(network: Network, counter: DatabaseCounter): Promise<void> {
  const { operationId } = (await network.admin.call('createRoom', { body: roomDraft() })).body
  await counter.until('select from operations where id = $1 and ended_at is not null', operationId)
}

async function measureMany(
  network: Network,
  counter: DatabaseCounter,
  servers: readonly RunningServer[],
  rooms: number,
  idle: number,
) {
  const before = { ...(await counter.read()), cpu: cpuOfAll(servers) }
  const milliseconds = await timed(() => create(network, rooms, 1))
  const cpu = cpuOfAll(servers) - before.cpu
  const after = await counter.read()
  const seconds = (after.at - before.at) / 1000
  return {
    perSecond: (rooms * 1000) / milliseconds,
    commits: (after.commits - before.commits - idle * seconds) / rooms,
    wal: (after.wal - before.wal) / rooms,
    cpuMilliseconds: cpu / rooms,
  }
}

/** Milliseconds from the signal until another worker has claimed the running operation. */
async function measureTakeovers(network: Network, counter: DatabaseCounter, first: RunningServer, rounds: number) {
  const times: number[] = []
  let holder = first
  for (let round = 0; round < rounds; round++) {
    const body = roomDraft()
    const hangs = { method: 'PUT', path: `/region/v1/rooms/${body.tenantName}`, times: 1, action: 'hang' }
    await network.setRegionFaults([hangs])
    const { operationId } = (await network.admin.call('createRoom', { body })).body
    await counter.until(`select from operations where id = $1 and fence = 1 and step_id = 'create-room'`, operationId)
    const next = await network.addServer(worker)
    const begun = performance.now()
    holder.child.kill('SIGTERM')
    await counter.until('select from operations where id = $1 and fence > 1', operationId)
    times.push(performance.now() - begun)
    await holder.ended
    holder = next
    await network.settle()
  }
  await holder.stop()
  return times
}

/** Rooms per second on a region that is far away, with 1, 2 and 4 workers. */
async function measureFar(network: Network, rooms: number): Promise<[number, number][]> {
  const region = network.regions[1]
  if (region === undefined) throw new Error('The network has no second region.')
  const proxy = await startFaultProxy({ host: '127.0.0.1', port: region.port })
  await proxy.set({ latencyMilliseconds: farMilliseconds / 2 })
  const far = `http://${proxy.host}:${proxy.port}`
  await network.database.rows('update regions set url = $1 where id = 2', [far])
  const results: [number, number][] = []
  const workers: RunningServer[] = []
  for (const count of [1, 2, 4]) {
    while (workers.length < count) workers.push(await network.addServer({ ...worker, ...eachWorker }))
    await create(network, 8, 2)
    const milliseconds = await timed(() => create(network, rooms, 2))
    results.push([count, (rooms * 1000) / milliseconds])
  }
  await Promise.all(workers.map((each) => each.stop()))
  await proxy.close()
  return results
}

/** Creates rooms with several clients at once; returns when all operations have ended. */
async function create(network: Network, rooms: number, region: number): Promise<void> {
  let left = rooms
  const one = async () => {
    while (left-- > 0) await network.admin.call('createRoom', { body: roomDraft({ region }) })
  }
  await Promise.all(Array.from({ length: clients }, one))
  await network.settle()
  const [failed] = await network.database.rows<{ n: number }>(
    `select count(*)::int as n from operations where state <> 'done'`,
  )
  if (failed?.n !== 0) throw new Error(`${failed?.n} rooms could not be created.`)
}

/** CPU time of all the servers together since they started, in milliseconds. */
function cpuOfAll(servers: readonly RunningServer[]): number {
  return servers.reduce((sum, { child }) => sum + cpuOf(child.pid), 0)
}

interface Results {
  idle: Awaited<ReturnType<typeof measureIdle>>
  alone: number[]
  many: Awaited<ReturnType<typeof measureMany>>
  takeovers: number[]
  far: [number, number][]
  rooms: number
}

function print({ idle, alone, many, takeovers, far, rooms }: Results): void {
  const most = (numbers: number[]) => Math.max(...numbers)
  console.log(`${rooms} rooms by ${clients} clients, ${availableParallelism()} cores, Node ${process.versions.node}\n`)
  const rows: [string, string][] = [
    ['commits per room', many.commits.toFixed(1)],
    ['WAL per room, kB', (many.wal / 1000).toFixed(1)],
    ['CPU of API and worker per room, ms', many.cpuMilliseconds.toFixed(0)],
    ['rooms per second', many.perSecond.toFixed(1)],
    ['commits per second of API and worker, idle', idle.commits.toFixed(1)],
    ['CPU of API and worker, idle, % of a core', idle.cpu.toFixed(2)],
    ['private memory of API + worker, idle, MiB', idle.memory.map((each) => each.toFixed(0)).join(' + ')],
    ['one room alone, ms: median (longest)', `${median(alone).toFixed(0)} (${most(alone).toFixed(0)})`],
    ['takeover after SIGTERM, ms: median (longest)', `${median(takeovers).toFixed(0)} (${most(takeovers).toFixed(0)})`],
    ...far.map(([workers, perSecond]): [string, string] => [
      `rooms per second, region ${farMilliseconds} ms away, ${workers} worker${workers > 1 ? 's' : ''}`,
      perSecond.toFixed(1),
    ]),
  ]
  console.log(table(['', 'measured'], rows))
}
