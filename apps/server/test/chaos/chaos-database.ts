/**
 * The database of a chaos test: a primary and a synchronous standby at two addresses that never change, each behind a
 * network that can be cut. The primary can be killed, frozen, cut off, run out of disk space, or be lost for good and
 * replaced by its standby.
 */
import { setTimeout as pause } from 'node:timers/promises'
import {
  type FaultProxy,
  mountSmallDisk,
  type NetworkDatabase,
  type PostgresServer,
  type SmallDisk,
  startFaultProxy,
  startPostgresServer,
  until,
} from '@roomkeeper/dev-env'
import { type Fault, fillingUp } from './faults.ts'

export interface ChaosDatabase {
  database: NetworkDatabase
  faults: Fault[]
}

/** One of the two addresses. A promotion changes which server is behind it. */
interface Machine {
  target: { host: string; port: number }
  proxy: FaultProxy
  server: PostgresServer
}

const name = 'chaos'

/** @param env more environment of both servers */
export async function startChaosDatabase(env: Record<string, string>): Promise<ChaosDatabase> {
  const disk = mountSmallDisk(600)
  const first = await startPostgresServer(disk?.folder, env)
  await first.createDatabase(name)
  const second = await first.addStandby({ synchronous: true })
  const machines = { primary: await machineOf(first), standby: await machineOf(second) }
  const state: State = { machines, disk }
  const both = [machines.primary, machines.standby]
  const url = new URL(first.url(name))
  const hosts = both.map(({ proxy }) => `${proxy.host}:${proxy.port}`).join(',')
  return {
    database: {
      url: `postgres://${url.username}:${url.password}@${hosts}/${name}?target_session_attrs=read-write`,
      rows: (text, values) => state.machines.primary.server.rows(text, values, name),
      async drop() {
        for (const { proxy } of both) await proxy.close()
        // Also removes its standbys, and theirs.
        await first.remove()
        disk?.remove()
      },
    },
    faults: faultsOf(state),
  }
}

interface State {
  machines: { primary: Machine; standby: Machine }
  disk: SmallDisk | null
}

async function machineOf(server: PostgresServer): Promise<Machine> {
  const target = { host: server.host, port: server.port }
  return { target, proxy: await startFaultProxy(target), server }
}

function faultsOf(state: State): Fault[] {
  const machine = 'database'
  const { disk } = state
  const primary = () => state.machines.primary
  return [
    {
      name: 'database killed',
      machine,
      async happen(random) {
        await primary().server.kill()
        await pause(2000 * random())
        await primary().server.start()
      },
    },
    {
      name: 'database frozen',
      machine,
      async happen(random) {
        await primary().server.freeze()
        await pause(1000 + 9000 * random())
        await primary().server.thaw()
      },
    },
    {
      name: 'database behind a network that swallows everything',
      machine,
      happen: (random) => cutOff(primary(), 'everything', 1000 + 9000 * random()),
    },
    {
      name: 'database whose answers are lost',
      machine,
      happen: (random) => cutOff(primary(), 'answers', 1000 + 9000 * random()),
    },
    {
      name: 'database connections reset',
      machine,
      async happen() {
        await primary().proxy.set({ reset: true })
        await pause(100)
        await primary().proxy.set({})
      },
    },
    { name: 'standby promoted, primary lost', machine, happen: () => promote(state) },
    ...(disk === null ? [] : [{ name: 'database full', machine, happen: fillUp(state, disk) }]),
  ]
}

async function cutOff({ proxy }: Machine, blackHole: 'everything' | 'answers', milliseconds: number): Promise<void> {
  await proxy.set({ blackHole })
  await pause(milliseconds)
  await proxy.set({})
}

/** PostgreSQL exits if it cannot write its write-ahead log. */
function fillUp(state: State, disk: SmallDisk): Fault['happen'] {
  const fill = fillingUp(disk)
  return async (random) => {
    await fill(random)
    for (const { server } of [state.machines.standby, state.machines.primary]) await server.start()
  }
}

/** Discards the primary for good and promotes the standby; a new standby takes over the address. */
async function promote(state: State): Promise<void> {
  const { primary, standby } = state.machines
  await primary.server.discard()
  await standby.server.promote()
  state.machines = { primary: standby, standby: primary }
  const next = await standby.server.addStandby({ synchronous: true })
  primary.server = next
  primary.target.port = next.port
  await until('the new standby is there', async () => (await standby.server.rows('select 1')).length > 0)
}
