/**
 * The faults that chaos tests inject into the processes of a network. Every fault ends: its promise resolves when the
 * process runs again.
 */
import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { FaultProxy, Network, NetworkFaults, RunningServer, SmallDisk } from '@roomkeeper/dev-env'
import type { Supervision } from './supervise.ts'

export interface Fault {
  /** For example `worker killed`. */
  name: string
  /** The machine that it affects. Two faults never affect the same machine at once. */
  machine: string
  happen(random: () => number): Promise<void>
}

export interface FaultyParts {
  network: Network
  workers: RunningServer[]
  supervision: Supervision
  leaseSeconds: number
  /** The disk of each region's data; null if this machine cannot create one. */
  disks: readonly (SmallDisk | null)[]
  /** The network between the console and each region. */
  proxies: readonly FaultProxy[]
}

export function faultsOf(parts: FaultyParts): Fault[] {
  return [...serverFaults(parts), ...parts.network.regions.flatMap((_, index) => regionFaults(parts, index))]
}

function serverFaults({ network, workers, supervision, leaseSeconds }: FaultyParts): Fault[] {
  const any = (random: () => number) => Math.floor(random() * workers.length)
  const anyWorker = (random: () => number) => workers[any(random)]?.child
  return [
    { name: 'api killed', machine: 'api', happen: () => supervision.kill('api') },
    { name: 'worker killed', machine: 'workers', happen: (random) => supervision.kill('worker', any(random)) },
    {
      name: 'worker asked to end',
      machine: 'workers',
      happen: async (random) => void anyWorker(random)?.kill('SIGTERM'),
    },
    {
      name: 'worker frozen for longer than a lease',
      machine: 'workers',
      happen: (random) => frozen(anyWorker(random), leaseSeconds * (1.5 + random())),
    },
    { name: 'api frozen', machine: 'api', happen: (random) => frozen(network.server.child, 1 + 4 * random()) },
  ]
}

function regionFaults({ network, supervision, disks, proxies }: FaultyParts, index: number): Fault[] {
  const machine = `region ${index + 1}`
  const child = () => network.regions[index]?.child
  const rules = (...given: object[]) => network.setRegionFaults(given, index).catch(() => undefined)
  const disk = disks[index]
  const seconds = (random: () => number) => 1 + 3 * random()
  const during = (rule: object) => async (random: () => number) => {
    await rules(rule)
    await pause(1000 * seconds(random))
    await rules()
  }
  const cut = (faults: NetworkFaults) => async (random: () => number) => {
    await proxies[index]?.set(faults)
    await pause(1000 * seconds(random))
    await proxies[index]?.set({})
  }
  const often = { path: '/region/v1/', times: 10_000 }
  return [
    { name: 'region killed', machine, happen: () => supervision.kill(index === 0 ? 'region1' : 'region2') },
    { name: 'region frozen', machine, happen: (random) => frozen(child(), 1 + 9 * random()) },
    { name: 'region answers 500', machine, happen: during({ ...often, action: 'status', status: 500 }) },
    { name: 'region slow', machine, happen: during({ ...often, action: 'delay', milliseconds: 700 }) },
    { name: 'region resets connections', machine, happen: during({ ...often, action: 'reset' }) },
    {
      name: 'region killed after it took effect',
      machine,
      happen: () => rules({ path: '/region/v1/', action: 'exit-after' }),
    },
    { name: 'region cut in the middle of an answer', machine, happen: cut({ cutAnswersAfterBytes: 700 }) },
    { name: 'region behind a network that swallows everything', machine, happen: cut({ blackHole: 'everything' }) },
    { name: 'region whose answers are lost', machine, happen: cut({ blackHole: 'answers' }) },
    ...(disk === null || disk === undefined ? [] : [{ name: 'region full', machine, happen: fillingUp(disk) }]),
  ]
}

/** Leaves no space on the disk for some seconds. */
export function fillingUp(disk: SmallDisk): Fault['happen'] {
  return async (random) => {
    await disk.fillUpTo(0)
    await pause(1000 + 4000 * random())
    await disk.relieve()
  }
}

async function frozen(child: ChildProcess | undefined, seconds: number): Promise<void> {
  child?.kill('SIGSTOP')
  await pause(seconds * 1000)
  child?.kill('SIGCONT')
}
