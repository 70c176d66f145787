/** What creating rooms and being idle cost: measured by the bench of operations and by that of growth. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Network, type RunningServer, roomDraft } from '@roomkeeper/dev-env'
import { timed } from '../measure.ts'
import { cpuOf, privateMegabytesOf } from '../process-cost.ts'
import type { DatabaseCounter } from './database-counter.ts'

export const clients = 32

/** Where rooms are created. */
export interface Site {
  admin: Network['admin']
  /** Waits until no operation is running or waiting. */
  settle(): Promise<void>
  database: Pick<Network['database'], 'rows'>
}

export interface Idle {
  /** Per second. */
  commits: number
  /** The CPU of all servers together, in % of a core. */
  cpu: number
  /** The memory of each server, in MiB. */
  memory: number[]
}

/** Measures while no client makes a request. */
export async function measureIdle(
  counter: DatabaseCounter,
  servers: readonly RunningServer[],
  seconds: number,
): Promise<Idle> {
  const before = { ...(await counter.read()), cpu: cpuOfServers(servers) }
  await pause(seconds * 1000)
  const after = await counter.read()
  const milliseconds = after.at - before.at
  return {
    commits: (after.commits - before.commits) / (milliseconds / 1000),
    cpu: ((cpuOfServers(servers) - before.cpu) / milliseconds) * 100,
    memory: servers.map(({ child }) => privateMegabytesOf(child.pid)),
  }
}

/** Creates one room, and returns when it is there. */
export async function createOne(site: Site, counter: DatabaseCounter, region = 1): Promise<void> {
  const { operationId } = (await site.admin.call('createRoom', { body: roomDraft({ region }) })).body
  await counter.until('select from operations where id = $1 and ended_at is not null', operationId)
}

/** Per room, except `perSecond`. */
export interface ManyRooms {
  perSecond: number
  commits: number
  /** Bytes. */
  wal: number
  /** Milliseconds, in the order of the given meters. */
  cpu: number[]
}

/**
 * @param meters give the CPU time of programs so far, in milliseconds
 * @param idleCommits per second, which are subtracted
 */
export async function measureMany(
  site: Site,
  counter: DatabaseCounter,
  meters: readonly (() => number)[],
  { rooms, region, idleCommits }: { rooms: number; region: number; idleCommits: number },
): Promise<ManyRooms> {
  const before = await counter.read()
  const cpuBefore = meters.map((meter) => meter())
  const milliseconds = await timed(() => createRooms(site, rooms, region))
  const cpu = meters.map((meter, index) => (meter() - (cpuBefore[index] ?? 0)) / rooms)
  const after = await counter.read()
  const seconds = (after.at - before.at) / 1000
  return {
    perSecond: (rooms * 1000) / milliseconds,
    commits: (after.commits - before.commits - idleCommits * seconds) / rooms,
    wal: (after.wal - before.wal) / rooms,
    cpu,
  }
}

/** Creates rooms with several clients at once; returns when all operations have ended. */
export async function createRooms(site: Site, rooms: number, region: number): Promise<void> {
  let left = rooms
  const one = async () => {
    while (left-- > 0) await site.admin.call('createRoom', { body: roomDraft({ region }) })
  }
  await Promise.all(Array.from({ length: clients }, one))
  await site.settle()
  const [failed] = await site.database.rows<{ n: number }>(
    `select count(*)::int as n from operations where state <> 'done'`,
  )
  if (failed?.n !== 0) throw new Error(`${failed?.n} rooms could not be created.`)
}

/** CPU time of all the servers together since they started, in milliseconds. */
export function cpuOfServers(servers: readonly RunningServer[]): number {
  return servers.reduce((sum, { child }) => sum + cpuOf(child.pid), 0)
}
