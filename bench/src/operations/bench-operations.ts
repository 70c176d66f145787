/**
 * The cost of operations, measured by creating rooms: commits, WAL and CPU time per room, the load of an idle API
 * process and worker, the duration of a single creation, how soon another worker takes over after a SIGTERM, and how
 * much more workers help when the region is far away.
 */

import { bootNetwork, type Network, type RunningServer, roomDraft, startFaultProxy } from '@roomkeeper/dev-env'
import { median, table, timed } from '../measure.ts'
import { report } from '../report.ts'
import { regionWithoutFaults, withoutFaults } from '../without-faults.ts'
import { countingDatabase, type DatabaseCounter } from './database-counter.ts'
import {
  clients,
  cpuOfServers,
  createOne,
  createRooms,
  type Idle,
  type ManyRooms,
  measureIdle,
  measureMany,
} from './measure-operations.ts'

export interface OperationsBench {
  /** The number of rooms created where costs per room are measured. */
  rooms: number
  /** How often the creation of a single room, and a takeover, are measured. */
  rounds: number
}

const idleSeconds = 30
const farMilliseconds = 300
/** So small that two cores carry four workers: what is shown is that each adds its own, not how much two cores do. */
const eachWorker = { REGION_CONCURRENCY: '64', WORKER_OPERATIONS: '4' }
const worker = { PROCESS: 'worker' }

export async function benchOperations({ rooms, rounds }: OperationsBench): Promise<void> {
  const regions = [{}, regionWithoutFaults]
  const network = await bootNetwork({
    regions,
    env: { PROCESS: 'api', REGION_CONCURRENCY: '16', ...withoutFaults },
  })
  const counter = await countingDatabase(network.database.url)
  try {
    const first = await network.addServer(worker)
    await createRooms(network, 20, 1)
    const idle = await measureIdle(counter, [network.server, first], idleSeconds)
    const alone: number[] = []
    for (let round = 0; round < rounds; round++) alone.push(await timed(() => createOne(network, counter)))
    const cpu = () => cpuOfServers([network.server, first])
    const many = await measureMany(network, counter, [cpu], { rooms, region: 1, idleCommits: idle.commits })
    const takeovers = await measureTakeovers(network, counter, first, Math.min(rounds, 10))
    const far = await measureFar(network, rooms)
    print({ idle, alone, many, takeovers, far, rooms })
  } finally {
    await counter.close()
    await network.stop()
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
    await createRooms(network, 8, 2)
    const milliseconds = await timed(() => createRooms(network, rooms, 2))
    results.push([count, (rooms * 1000) / milliseconds])
  }
  await Promise.all(workers.map((each) => each.stop()))
  await proxy.close()
  return results
}

interface Results {
  idle: Idle
  alone: number[]
  many: ManyRooms
  takeovers: number[]
  far: [number, number][]
  rooms: number
}

function print({ idle, alone, many, takeovers, far, rooms }: Results): void {
  const most = (numbers: number[]) => Math.max(...numbers)
  report(`${rooms} rooms by ${clients} clients`)
  const rows: [string, string][] = [
    ['commits per room', many.commits.toFixed(1)],
    ['WAL per room, kB', (many.wal / 1000).toFixed(1)],
    ['CPU of API and worker per room, ms', (many.cpu[0] ?? Number.NaN).toFixed(0)],
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
  report(table(['', 'measured'], rows))
}
