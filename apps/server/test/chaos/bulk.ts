/**
 * A bulk of all rooms on two regions while servers, workers and regions are killed at random moments, and operators work
 * meanwhile. At the end each room was suspended exactly once, the result adds up, and the doctor finds nothing.
 *
 * BULK_ROOMS sets the amount; SEED repeats the choice of victims. `npm run chaos -- bulk`: 10,000 rooms.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import {
  bootNetwork,
  type Network,
  type RunningServer,
  sampledAmount,
  seed,
  seedRegions,
  until,
} from '@roomkeeper/dev-env'
import { expect } from 'vitest'
import { randomFrom } from './random.ts'
import { untilAnswered } from './repeated-calls.ts'
import { type Supervision, supervise, type Victim, victims } from './supervise.ts'

const rooms = Number(process.env.BULK_ROOMS ?? sampledAmount('rooms of a bulk under fire', 60, 200))
const minutes = 4 + Math.ceil(rooms / 150)
const company = 'Fleet under fire'

let network: Network
let workers: RunningServer[]
let supervision: Supervision
const worker = { PROCESS: 'worker' }

export async function setUp(): Promise<void> {
  network = await bootNetwork({ regions: 2, env: { PROCESS: 'api', WORKER_LEASE_SECONDS: '3' } })
  workers = await Promise.all([network.addServer(worker), network.addServer(worker)])
  supervision = supervise(network, workers)
}

export async function tearDown(): Promise<void> {
  await supervision?.letGo()
  await network?.stop()
}

/** @returns the rooms that were not suspended exactly once */
export async function run(): Promise<unknown[]> {
  const random = randomFrom(seed())
  await makeRooms()
  const own = await network.newRoom({ companyName: 'An operator of their own' })
  const id = await start()
  const longest = { api: 0, worker: 0 }
  let kills = 0
  const waits: number[] = []
  while (!(await isOver(id))) {
    await pause(100 + random() * 900)
    const victim = victims[Math.floor(random() * victims.length)] as Victim
    await supervision.kill(victim, Math.floor(random() * workers.length))
    kills += 1
    for (const [name, process] of [
      ['api', network.server],
      ['worker', workers[0]],
    ] as const)
      longest[name] = Math.max(longest[name], memoryOf(process?.child.pid))
    if (victim === 'api') waits.push(await secondsUntilBegun(own))
  }
  const { body: bulk } = await untilAnswered(() => network.admin.call('bulk', { params: { id } }))
  console.log(
    `bulk (SEED=${seed()}): ${rooms} rooms, ${kills} kills ${JSON.stringify(Object.fromEntries(supervision.killed))}, ` +
      `single actions begun after at most ${Math.max(0, ...waits).toFixed(1)} s, MiB ${JSON.stringify(longest)}`,
  )
  expect(kills).toBeGreaterThan(0)
  expect(bulk).toMatchObject({ total: rooms, counts: { WAITING: 0, RUNNING: 0, CANCELLED: 0, SKIPPED: 0 } })
  expect(bulk.counts.DONE + bulk.counts.FAILED).toBe(rooms)
  // A region that is away for a while is waited for, so none fails.
  expect(bulk.counts.FAILED).toBe(0)
  await network.settle()
  const wrong = await wrongRooms(id)
  expect(await network.doctor()).toEqual([])
  return wrong
}

export const milliseconds = minutes * 60_000

/** Empty rooms, made on the regions as the console would have made them. */
async function makeRooms(): Promise<void> {
  await seedRegions(network, { rooms, companyName: company, prefix: 'fleet' })
}

async function start(): Promise<string> {
  const lists = { search_keys: [], search_values: [], filter_keys: [], filter_values: [], filter_conditions: [] }
  const selection = {
    query: { ...lists, search: company, order_by: 'tenantName', order_dir: 'asc' as const },
    except: [],
  }
  const body = { action: 'suspend' as const, selection, parameters: { userNotification: false }, expectedTotal: rooms }
  return (await network.admin.call('startBulk', { body })).body.operationId
}

async function isOver(id: string): Promise<boolean> {
  const [row] = await network.database.rows('select 1 from bulks where id = $1 and ended_at is not null', [id])
  return row !== undefined
}

/** How long a suspension or resumption of one room takes to begin while the bulk runs. */
async function secondsUntilBegun(roomName: string): Promise<number> {
  const [room] = await network.database.rows<{ state: string }>('select state from rooms where name = $1', [roomName])
  if (room?.state !== 'DEFAULT' && room?.state !== 'SUSPENDED') return 0
  const call = room.state === 'DEFAULT' ? 'suspendRoom' : 'resumeRoom'
  const began = Date.now()
  const answered = network.admin.call(call, { body: { roomName, userNotification: false } }).catch(() => undefined)
  await until('it has begun', async () => {
    const [open] = await network.database.rows(
      `select 1 from operations where room_name = $1 and created_at > to_timestamp($2::float8 / 1000)
          and (executed_at > created_at or state <> 'waiting')`,
      [roomName, began - 1000],
    )
    return open !== undefined
  }).catch(() => undefined)
  const seconds = (Date.now() - began) / 1000
  await answered
  return seconds
}

/** Resident memory in MiB; 0 for a process that has just ended. */
function memoryOf(pid: number | undefined): number {
  try {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kilobytes) / 1024)
  } catch {
    return 0
  }
}

/** Rooms that were not suspended once: their operations that are done, their state here, their state on the region. */
async function wrongRooms(id: string): Promise<unknown[]> {
  const found = await network.database.rows(
    `select r.name, r.state, count(o.id) filter (where o.state = 'done')::int as done, count(o.id)::int as operations
       from rooms r left join operations o on o.room_id = r.id and o.parent_id = $1
      where r.company_name = $2 group by r.id having r.state <> 'SUSPENDED' or count(o.id) <> 1
         or count(o.id) filter (where o.state = 'done') <> 1`,
    [id, company],
  )
  return found
}
