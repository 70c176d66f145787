/**
 * The faults that chaos tests inject into the processes of a network. Every fault ends: its promise resolves when the
 * process runs again.
 */
import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type {
  FaultProxy,
  Network,
  NetworkFaults,
  RunningMailServer,
  RunningServer,
  SmallDisk,
} from '@roomkeeper/dev-env'
import { type Clocks, clockErrors } from './clocks.ts'
import { forgetLocks } from './forget-locks.ts'
import type { Liar } from './liar.ts'
import { untilAnswered } from './repeated-calls.ts'
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
  clocks: Clocks
  mailServer: RunningMailServer
  /** The network between the console and the mail server. */
  mailProxy: FaultProxy
  liar: Liar
}

export function faultsOf(parts: FaultyParts): Fault[] {
  return [
    ...serverFaults(parts),
    ...parts.network.regions.flatMap((_, index) => regionFaults(parts, index)),
    ...(parts.clocks.canBeSet ? clockFaults(parts) : []),
    ...mailFaults(parts),
    { name: 'killed, and has forgotten its locks', machine: 'lying region', happen: () => parts.liar.restart() },
  ]
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

/** The clock of one worker is wrong, or that of everything. The workers compare their clocks every 10 seconds. */
function clockFaults({ network, supervision, workers, clocks }: FaultyParts): Fault[] {
  return clockErrors.flatMap(({ title, seconds }) => [
    {
      name: `clock of a worker ${title}`,
      machine: 'workers',
      async happen(random) {
        const index = Math.floor(random() * workers.length)
        await clocks.skew(nameOfWorker(index), seconds)
        await pause(5000 * random())
        if (random() < 0.5) await supervision.kill('worker', index)
        await pause(2000 + 12_000 * random())
        await clocks.skew(nameOfWorker(index), 0)
      },
    },
    {
      name: `clock of the machine ${title}`,
      machine: 'clock',
      async happen(random) {
        await jump(seconds)
        await pause(1000 + 9000 * random())
        await jump(0)
      },
    },
  ])

  async function jump(seconds: number): Promise<void> {
    await clocks.jump(seconds)
    // libfaketime reads the new time within a second.
    await pause(1500)
    network.admin = await untilAnswered(() => network.newSession())
  }
}

export const nameOfWorker = (index: number) => `worker ${index + 1}`

function mailFaults({ mailServer, mailProxy }: FaultyParts): Fault[] {
  const machine = 'mail server'
  const cut = (faults: NetworkFaults) => async (random: () => number) => {
    await mailProxy.set(faults)
    await pause(1000 + 9000 * random())
    // What was held back is lost.
    await mailProxy.set({ reset: true })
    await mailProxy.set({})
  }
  const refusing = async (random: () => number) => {
    mailServer.refuse(customer, { status: 451, text: 'Later.' })
    await pause(1000 + 9000 * random())
    mailServer.refuse(customer, false)
  }
  return [
    { name: 'mail server away', machine, happen: cut({ refuse: true }) },
    { name: 'mail server resets connections', machine, happen: cut({ reset: true }) },
    { name: 'mail server that swallows everything', machine, happen: cut({ blackHole: 'everything' }) },
    { name: 'mail server whose answers are lost', machine, happen: cut({ blackHole: 'answers' }) },
    { name: 'mail server refuses for now', machine, happen: refusing },
  ]
}

/** The owner of every room. */
const customer = 'owner@example.com'

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
    {
      name: 'region killed, and has forgotten its locks',
      machine,
      async happen() {
        const region = network.regions[index]
        if (region !== undefined) await forgetLocks(region)
        await supervision.kill(index === 0 ? 'region1' : 'region2')
      },
    },
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
