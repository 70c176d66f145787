/**
 * Everything at once: programs work with rooms, users write, and faults of all kinds happen concurrently. At the end
 * all faults are healed, every operation has ended, every acknowledged document exists, and nothing is left over.
 *
 * CHAOS_MINUTES, CHAOS_ACTORS and CHAOS_FAULTS set the amount. SEED repeats the choices, but not their timing. `npm run chaos`
 * runs for an hour.
 */
import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import {
  bootNetwork,
  type FaultProxy,
  mountSmallDisk,
  type Network,
  type ProcessUnderTest,
  type RunningMailServer,
  type RunningServer,
  type SmallDisk,
  sampledAmount,
  seed,
  startFaultProxy,
  startMailServer,
  until,
} from '@roomkeeper/dev-env'
import { expect } from 'vitest'
import { countsAreRight } from '../migrations/moves.ts'
import { type Actor, count, newActor, retryUntilDone, type Tally } from './actor.ts'
import { type ChaosDatabase, startChaosDatabase } from './chaos-database.ts'
import { type Clocks, startClocks } from './clocks.ts'
import { type Fault, faultsOf, nameOfWorker } from './faults.ts'
import { type Liar, nameOfVictim, newVictim, startLiar } from './liar.ts'
import { allMailsTried, compareMails } from './mails.ts'
import { randomFrom } from './random.ts'
import { expected, observe, perform, wrongDocuments } from './real-room.ts'
import { untilAnswered } from './repeated-calls.ts'
import { after } from './room-model.ts'
import { type Supervision, supervise } from './supervise.ts'

const minutes = Number(process.env.CHAOS_MINUTES ?? sampledAmount('seconds of chaos', 9, 60) / 60)
const actorCount = Number(process.env.CHAOS_ACTORS ?? 4)
const faultsAtOnce = Number(process.env.CHAOS_FAULTS ?? 3)
const leaseSeconds = 3
const healMinutes = 6

let network: Network
let workers: RunningServer[]
let disks: (SmallDisk | null)[]
let proxies: FaultProxy[]
let chaosDatabase: ChaosDatabase
let supervision: Supervision
let clocks: Clocks
let mailServer: RunningMailServer
let mailProxy: FaultProxy
let liar: Liar

export async function setUp(): Promise<void> {
  // The size allows for what regions keep for two days: files whose removal was lost, and what restores replaced.
  const megabytes = 400 + Math.ceil(40 * minutes)
  disks = [mountSmallDisk(megabytes), mountSmallDisk(megabytes)]
  const ofRegions = { 'region 1': 3600, 'region 2': -3600, 'lying region': 0 }
  clocks = await startClocks({ console: 0, [nameOfWorker(0)]: 0, [nameOfWorker(1)]: 0, ...ofRegions })
  chaosDatabase = await startChaosDatabase(clocks.env('console'))
  mailServer = await startMailServer()
  const smtpUrl = new URL(mailServer.url)
  mailProxy = await startFaultProxy({ host: smtpUrl.hostname, port: Number(smtpUrl.port) })
  smtpUrl.port = String(mailProxy.port)
  network = await bootNetwork({
    database: chaosDatabase.database,
    regions: disks.map((disk, index) => ({
      env: clocks.env(`region ${index + 1}`),
      ...(disk === null ? {} : { dataDir: disk.folder }),
    })),
    env: {
      PROCESS: 'api',
      WORKER_LEASE_SECONDS: String(leaseSeconds),
      SMTP_URL: smtpUrl.href,
      ...clocks.env('console'),
    },
  })
  proxies = await Promise.all(network.regions.map(({ port }) => startFaultProxy({ host: '127.0.0.1', port })))
  for (const index of network.regions.keys()) await connectThroughProxy(index)
  liar = await startLiar(network, clocks.env('lying region'))
  const startWorker = (index: number) => network.addServer({ PROCESS: 'worker', ...clocks.env(nameOfWorker(index)) })
  workers = await Promise.all([startWorker(0), startWorker(1)])
  supervision = supervise(network, workers, startWorker)
}

export async function tearDown(): Promise<void> {
  await supervision?.letGo()
  await liar?.stop()
  await network?.stop()
  for (const proxy of [...(proxies ?? []), mailProxy]) await proxy?.close()
  await mailServer?.stop()
  await clocks?.remove()
  for (const disk of disks ?? []) disk?.remove()
}

/** Makes the console reach the region through a network that can be cut. */
async function connectThroughProxy(index: number): Promise<void> {
  const { body: regions } = await network.admin.call('regions', {})
  const [region, running, proxy] = [regions[index], network.regions[index], proxies[index]]
  if (region === undefined || running === undefined || proxy === undefined) throw new Error(`No region ${index}.`)
  const { regionId: id, regionName, userName, productVersion, maxNumOfTenants } = region
  const login = { userName, password: running.password, passwordSystem: running.systemPassword }
  const regionIPorURL = `http://${proxy.host}:${proxy.port}`
  await network.admin.call('changeRegion', {
    body: { id, regionName, regionIPorURL, ...login, productVersion, maxNumOfTenants },
  })
}

export async function run(): Promise<void> {
  console.log(`chaos: SEED=${seed()}, ${minutes} min, ${actorCount} actors, ${faultsAtOnce} faults at once`)
  const random = randomFrom(seed())
  const tally: Tally = new Map()
  const faultTally: Tally = new Map()
  const end = Date.now() + minutes * 60_000
  const actors = Array.from({ length: actorCount }, (_, index) =>
    newActor(network, `actor${String.fromCharCode(97 + index)}`, randomFrom(seed() + index + 1), tally),
  )
  const all = [...actors, newVictim(network, tally)]
  const parts = { network, workers, supervision, leaseSeconds, disks, proxies, clocks, mailServer, mailProxy, liar }
  const faults = [...faultsOf(parts), ...chaosDatabase.faults]
  const busy = new Set<string>()
  try {
    await Promise.all([
      ...all.map((actor) => actor.work(end)),
      ...Array.from({ length: faultsAtOnce }, () => makeFaults({ faults, busy, random, end, tally: faultTally })),
    ])
    await heal()
    const rooms = await expectEverythingWhole(all, tally)
    report(tally, faultTally, rooms)
    expectThatMuchHappened(actors, faults, faultTally)
  } catch (error) {
    report(tally, faultTally, 0)
    await printState(all, busy)
    throw error
  }
}

export const milliseconds = (minutes + healMinutes + 2) * 60_000

interface FaultLoop {
  faults: readonly Fault[]
  /** The machines that a fault currently affects. */
  busy: Set<string>
  random: () => number
  end: number
  tally: Tally
}

async function makeFaults({ faults, busy, random, end, tally }: FaultLoop): Promise<void> {
  // In a short run, too, each machine has a fault, and something is killed.
  const isEnough = () => untouched(faults, tally).length === 0 && supervision.killed.size > 0
  while (Date.now() < end || !isEnough()) {
    await pause(300 + 2500 * random())
    const fault = rarest(faults, busy, tally, random)
    if (fault === undefined) continue
    busy.add(fault.machine)
    await fault.happen(random).catch((cause: unknown) => {
      throw new Error(`The fault '${fault.name}' could not be made.`, { cause })
    })
    busy.delete(fault.machine)
    count(tally, titleOf(fault))
  }
}

/** On the machine with the fewest faults so far, one of the faults that have happened there least often. */
function rarest(
  faults: readonly Fault[],
  busy: ReadonlySet<string>,
  tally: Tally,
  random: () => number,
): Fault | undefined {
  const times = (fault: Fault) => tally.get(titleOf(fault)) ?? 0
  const timesIn = (machine: string) => timesOf(faults, machine, tally)
  const free = faults.filter(({ machine }) => !busy.has(machine))
  const fewest = Math.min(...free.map(({ machine }) => timesIn(machine)))
  const onMachine = free.filter(({ machine }) => timesIn(machine) === fewest)
  const least = Math.min(...onMachine.map(times))
  const candidates = onMachine.filter((fault) => times(fault) === least)
  return candidates[Math.floor(random() * candidates.length)]
}

const titleOf = ({ machine, name }: Fault) => `${machine}: ${name}`

/** The machines that have had no fault. */
function untouched(faults: readonly Fault[], tally: Tally): string[] {
  const machines = [...new Set(faults.map(({ machine }) => machine))]
  return machines.filter((machine) => timesOf(faults, machine, tally) === 0)
}

function timesOf(faults: readonly Fault[], machine: string, tally: Tally): number {
  const titles = faults.filter((fault) => fault.machine === machine).map(titleOf)
  return titles.reduce((sum, title) => sum + (tally.get(title) ?? 0), 0)
}

/** Without enough faults and actions, the test would have shown nothing. */
function expectThatMuchHappened(actors: readonly Actor[], faults: readonly Fault[], tally: Tally): void {
  expect(untouched(faults, tally)).toEqual([])
  expect(supervision.killed.size).toBeGreaterThan(0)
  expect(actors.filter(({ room, gone }) => room !== null || gone.length > 0)).not.toEqual([])
}

/** Ends all faults, then waits until all processes answer and every operation has ended. */
async function heal(): Promise<void> {
  for (const disk of disks) await disk?.relieve()
  for (const index of network.regions.keys()) await untilAnswered(() => network.setRegionFaults([], index))
  await until('every operation has ended', async () => (await openOperations()).length === 0, healMinutes * 60).catch(
    async (error: unknown) => {
      console.log('still open:', await openOperations())
      throw error
    },
  )
}

function openOperations() {
  return untilAnswered(() =>
    network.database.rows(
      `select id, kind, room_name, state, step, attempt, fence, error, executed_at from operations where ended_at is null`,
    ),
  )
}

/** @returns how many rooms were checked */
async function expectEverythingWhole(actors: readonly Actor[], tally: Tally): Promise<number> {
  const wrong: string[] = []
  let rooms = 0
  for (const actor of actors) {
    rooms += 1 + actor.gone.length
    await retryUntilDone(network, actor.name, Date.now() + 120_000, tally)
    try {
      await expectWhole(actor)
    } catch (error) {
      for (const name of [...actor.gone, actor.name]) console.log(name, (await historyOf(name)).join('\n'))
      throw error
    }
    wrong.push(...(await wrongIn(actor)))
  }
  expect(wrong).toEqual([])
  const [left] = await network.database.rows<Record<string, number>>(
    `select (select count(*)::int from capacity_reservations) as reservations,
            (select count(*)::int from operation_slots) as slots,
            (select count(*)::int from operation_items where state in ('waiting', 'running')) as moving`,
  )
  expect(left).toEqual({ reservations: 0, slots: 0, moving: 0 })
  const notLeft = `select id, kind, room_name, error from operations where kind like 'migration.leave-%' and state = 'failed'`
  // They are tried for a week, which is over when the clock jumps by a month; then an administrator retries them.
  for (const { id } of await network.database.rows<{ id: string }>(notLeft)) {
    await untilAnswered(() => network.admin.call('retryOperation', { params: { id } }))
    count(tally, 'migration.leave: retried')
  }
  await network.settle()
  expect(await network.database.rows(notLeft)).toEqual([])
  expect(await countsAreRight(network)).toBe(true)
  await expectLiesNoticed(tally)
  await expectRightMails(tally)
  await trustTime(tally)
  expect(await untilAnswered(() => network.doctor())).toEqual([])
  return rooms
}

/** The victim's room has not moved to the lying region, which has no copy of it left. */
async function expectLiesNoticed(tally: Tally): Promise<void> {
  const moves = await network.database.rows<{ why: string | null; moves: number }>(
    `select left(error, 100) as why, count(*)::int as moves from operations
      where kind = 'room.migrate' and room_name = $1 group by 1`,
    [nameOfVictim],
  )
  for (const { why, moves: number } of moves) tally.set(`move to the liar: ${why}`, number)
  expect(moves.filter(({ why }) => why === null)).toEqual([])
  expect(await liar.region().client.room(nameOfVictim)).toBe(null)
}

async function expectRightMails(tally: Tally): Promise<void> {
  await allMailsTried(network)
  const { wrong, times } = await compareMails(network, mailServer)
  for (const [what, number] of Object.entries(times)) tally.set(`mail arrived ${what}`, number)
  expect(wrong).toEqual([])
}

/** After a jump of the clock nothing is removed for good until an administrator says that the time is right. */
async function trustTime(tally: Tally): Promise<void> {
  const findings = await untilAnswered(() => network.doctor())
  for (const { id } of findings.filter(({ kind }) => kind === 'time-jumped')) {
    await untilAnswered(() => network.admin.call('repairFinding', { params: { id }, body: { repair: 'trust-time' } }))
    count(tally, 'time-jumped: trusted')
  }
  await network.settle()
}

async function expectWhole(actor: Actor): Promise<void> {
  await until(`${actor.name} is unlocked`, async () => isUnlocked(actor.name), 90)
  expect({ name: actor.name, ...(await observe(network, actor.name)) }).toEqual({
    name: actor.name,
    ...expected(actor.room),
  })
  for (const name of actor.gone)
    expect({ name, ...(await observe(network, name)) }).toEqual({ name, ...expected(null) })
}

/** The logs of the room's operations, to find out what went wrong. */
async function historyOf(name: string): Promise<string[]> {
  const lines = await network.database.rows<{ line: string }>(
    `select to_char(l.at, 'HH24:MI:SS.MS ') || o.kind || ' ' || left(o.id::text, 4) || ' (' || o.state || '): ' || l.level || ' ' || l.text as line
       from operations o join operation_log l on l.operation_id = o.id where o.room_name = $1 order by l.at`,
    [name],
  )
  return lines.map(({ line }) => line)
}

async function wrongIn(actor: Actor): Promise<string[]> {
  if (actor.room?.state === 'SUSPENDED') {
    expect(await perform(network, actor.name, actor.room, { do: 'resume' })).toBe('done')
    actor.room = after(actor.room, { do: 'resume' })
  }
  const region = network.regions[(actor.room?.region ?? 1) - 1]
  if (actor.room === null || region === undefined) return []
  return wrongDocuments(region, actor.name, actor.room.documents)
}

/** Prints the state of everything, to find out what went wrong. */
async function printState(actors: readonly Actor[], busy: ReadonlySet<string>): Promise<void> {
  console.log(`it failed at ${new Date().toISOString()}; faults at that moment: ${[...busy].join(', ')}`)
  const running: [string, ProcessUnderTest<unknown>][] = [
    [`the API at ${network.server.address}`, network.server],
    ...workers.map((each): [string, ProcessUnderTest<unknown>] => ['a worker', each]),
    ['the liar', liar.region()],
    ...network.regions.map((each): [string, ProcessUnderTest<unknown>] => [`${each.name} at ${each.url}`, each]),
  ]
  for (const [name, { child, output }] of running) {
    const ended = child.exitCode ?? child.signalCode
    console.log(`${name} ${ended === null ? 'runs' : `ended with ${ended}`}; its last words:\n${lastOf(output())}`)
  }
  for (const disk of disks.filter((each) => each !== null)) {
    const used = execFileSync('du', ['--block-size=M', '--max-depth=2', '--threshold=5M', disk.folder])
    console.log(`what takes the space of a region's disk:\n${used}`)
  }
  console.log(`starts that failed:\n${supervision.failedStarts.slice(-10).map(lastOf).join('\n')}`)
  for (const { name } of actors) {
    const lines = await historyOf(name).catch((error: unknown) => [String(error)])
    console.log([`the room ${name}:`, ...lines.slice(-60)].join('\n'))
  }
  console.log('open operations:', await openOperations().catch(String))
}

const lastOf = (text: string) => text.slice(-3000)

async function isUnlocked(name: string): Promise<boolean> {
  return (await observe(network, name)).regions.every((copy) => copy?.locked !== true)
}

function report(tally: Tally, faults: Tally, rooms: number): void {
  const sorted = (from: Tally) => [...from].toSorted().map(([what, times]) => `  ${times} × ${what}`)
  console.log(['what was done:', ...sorted(tally), 'faults:', ...sorted(faults), `rooms checked: ${rooms}`].join('\n'))
}
