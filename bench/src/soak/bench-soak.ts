/**
 * A soak test: API clients and live migrations without a pause, while the memory, file handles and database connections
 * of every process and the sizes of tables are recorded, to show what grows.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { bootNetwork, type Network, roomDraft, uniqueRoomName } from '@roomkeeper/dev-env'
import { median, table } from '../measure.ts'
import { saveMigration } from '../migrate/bench-migrate.ts'
import { report } from '../report.ts'
import { regionWithoutFaults } from '../without-faults.ts'
import { type Sample, type Watched, watch } from './samples.ts'

export interface SoakBench {
  minutes: number
  clients: number
  /** How many rooms move to and fro all the time. */
  rooms: number
}

const sampleSeconds = 10

export async function benchSoak({ minutes, clients, rooms }: SoakBench): Promise<void> {
  const network = await bootNetwork({ regions: [regionWithoutFaults, regionWithoutFaults], env: { PROCESS: 'api' } })
  try {
    const worker = await network.addServer({ PROCESS: 'worker' })
    const watched: Watched = {
      processes: [
        { name: 'api', pid: network.server.child.pid ?? 0 },
        { name: 'worker', pid: worker.child.pid ?? 0 },
        ...network.regions.map(({ name, child }) => ({ name, pid: child.pid ?? 0 })),
      ],
      database: network.database,
    }
    const moving = await makeRooms(network, rooms)
    const end = Date.now() + minutes * 60_000
    const done = { calls: 0, lives: 0, moves: 0 }
    const samples: Sample[] = []
    await Promise.all([
      ...Array.from({ length: clients }, () => work(network, end, done)),
      moveToAndFro(network, moving, end, done),
      sampleUntil(watched, samples, end),
    ])
    await network.settle()
    print(samples, done, { minutes, clients, rooms })
  } finally {
    await network.stop()
  }
}

interface Done {
  calls: number
  /** Rooms that were created, changed, suspended, resumed and deleted. */
  lives: number
  /** Rooms that moved. */
  moves: number
}

async function makeRooms(network: Network, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, () => uniqueRoomName('soak'))
  for (const tenantName of names) await network.admin.call('createRoom', { body: roomDraft({ tenantName }) })
  await network.settle()
  return names
}

/** One client: takes one room after another through its whole life, and reads lists in between. */
async function work(network: Network, end: number, done: Done): Promise<void> {
  const { admin } = network
  const takeSample = async () => {
    await admin.call('listRooms', { query: { size: 50, search_keys: ['tenantName'], search_values: ['soak'] } })
    await admin.call('runningOperations', {})
    await admin.call('monitoring', { query: { size: 20 } })
    done.calls += 3
  }
  while (Date.now() < end) {
    const tenantName = uniqueRoomName('life')
    const roomName = tenantName
    await ended(network, await admin.call('createRoom', { body: roomDraft({ tenantName }) }))
    await takeSample()
    await ended(network, await admin.call('suspendRoom', { body: { roomName, userNotification: false } }))
    await ended(network, await admin.call('backupRoom', { query: { projectRoomName: roomName, isD2O: false } }))
    await takeSample()
    await ended(network, await admin.call('resumeRoom', { body: { roomName, userNotification: false } }))
    await ended(network, await admin.call('deleteRoom', { body: { roomName } }))
    done.calls += 5
    done.lives += 1
  }
}

async function ended(network: Network, { body }: { body: object }): Promise<void> {
  if (!('operationId' in body)) return
  for (;;) {
    const rows = await network.database.rows<{ state: string; error: string | null }>(
      'select state, error from operations where id = $1 and ended_at is not null',
      [body.operationId],
    )
    if (rows[0]?.state === 'failed') throw new Error(`An operation failed: ${rows[0].error}`)
    if (rows.length > 0) return
    await pause(50)
  }
}

async function moveToAndFro(network: Network, names: string[], end: number, done: Done): Promise<void> {
  const ways = [await saveMigration(network, 1, 2), await saveMigration(network, 2, 1)]
  for (let round = 0; Date.now() < end; round += 1) {
    const id = ways[round % 2] ?? 0
    const body = { liveMigrationData: { id }, selectedRooms: names }
    await network.admin.call('startLiveMigration', { body })
    for (;;) {
      const { state } = (await network.admin.call('liveMigration', { params: { id } })).body
      if (state !== 'RUNNING') break
      await pause(200)
    }
    done.moves += names.length
  }
}

async function sampleUntil(watched: Watched, samples: Sample[], end: number): Promise<void> {
  while (Date.now() < end) {
    samples.push(await watch(watched))
    await pause(Math.min(sampleSeconds * 1000, Math.max(end - Date.now(), 0)))
  }
}

/** Compares the medians of the second and the last quarter; the first quarter is warming up. */
function print(samples: readonly Sample[], done: Done, { minutes, clients, rooms }: SoakBench): void {
  const quarter = Math.floor(samples.length / 4)
  const early = samples.slice(quarter, 2 * quarter)
  const late = samples.slice(-quarter)
  const names = [...new Set(samples.flatMap((sample) => [...sample.keys()]))]
  const rowOf = (name: string) => {
    const [before, after] = [early, late].map((part) => median(part.map((sample) => sample.get(name) ?? 0)))
    const growth = before ? `${Math.round((((after ?? 0) - before) / before) * 100)} %` : ''
    return [name, format(before ?? 0), format(after ?? 0), growth]
  }
  report(
    `${minutes} min, ${clients} clients, ${rooms} rooms moving: ${done.calls} calls, ${done.lives} whole lives of rooms, ${done.moves} moves`,
  )
  report(table(['what', 'second quarter', 'last quarter', 'growth'], names.map(rowOf)))
}

function format(number: number): string {
  return Number.isInteger(number) ? String(number) : number.toFixed(1)
}
