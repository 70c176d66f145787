/**
 * Whole migrations there and back while servers, workers and regions are killed at random moments. At the end every
 * room is whole, only the region that the console names has it, and the doctor finds nothing.
 *
 * CHAOS_ROOMS and CHAOS_ROUNDS set the amount; SEED repeats the choice of victims. `npm run chaos`: 200 rooms, 20
 * rounds.
 */
import { setTimeout as pause } from 'node:timers/promises'
import {
  bootNetwork,
  type Network,
  type RunningServer,
  roomDraft,
  sampledAmount,
  seed,
  until,
} from '@roomkeeper/dev-env'
import { expect } from 'vitest'
import { writeDocuments } from '../life/room-life.ts'
import { countsAreRight, newMigration, startRun, whereabouts } from '../migrations/moves.ts'
import { randomFrom } from './random.ts'
import { type Supervision, supervise, type Victim, victims } from './supervise.ts'

const rooms = Number(process.env.CHAOS_ROOMS ?? 8)
const rounds = Number(process.env.CHAOS_ROUNDS ?? sampledAmount('rounds of moves under fire', 1, 2))
const minutes = 3 + Math.ceil((rooms * rounds) / 20)

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

export async function run(): Promise<void> {
  const random = randomFrom(seed())
  const nextVictim = eachVictim(random)
  const made = await makeRooms()
  const migrations = [
    { id: await newMigration(network, { parallel: true }), to: 2 },
    { id: await newMigration(network, { parallel: true, sourceRegion: 2, targetRegion: 1, routing: true }), to: 1 },
  ]
  const outcomes = new Map<string, number>()
  for (let round = 0; round < rounds; round += 1) {
    const { id, to } = migrations[round % 2] as (typeof migrations)[number]
    const kills = await moveUnderFire(id, made, nextVictim, random)
    expect(kills).toBeGreaterThan(0)
    for (const { outcome } of await outcomesOf(id)) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    for (const room of made) await expectWhole(room, to)
    await expectNothingLeft()
    console.log(`round ${round + 1}: ${kills} kills, outcomes so far ${JSON.stringify(Object.fromEntries(outcomes))}`)
  }
  console.log(
    `chaos (SEED=${seed()}): ${rounds} rounds, killed ${JSON.stringify(Object.fromEntries(supervision.killed))}`,
  )
  expect(await network.doctor()).toEqual([])
  // Every killed process comes back soon, so every room must arrive.
  expect(Object.fromEntries(outcomes)).toEqual({ done: rooms * rounds })
  expect(await movesTakenOver()).toBeGreaterThan(0)
}

export const milliseconds = minutes * 60_000

interface MadeRoom {
  name: string
  id: string
  digest: string
  isSuspended: boolean
}

/** Rooms with different amounts of content; every third is suspended. */
async function makeRooms(): Promise<MadeRoom[]> {
  const names = Array.from({ length: rooms }, (_, index) => `chaos${index}`)
  await Promise.all(names.map((tenantName) => network.admin.call('createRoom', { body: roomDraft({ tenantName }) })))
  await network.settle()
  const made: MadeRoom[] = []
  for (const [index, name] of names.entries()) {
    const document = { of: name, text: `${index} `.repeat(20_000 * (index % 4)) }
    await writeDocuments(network, name, { first: document, second: document })
    const isSuspended = index % 3 === 0
    if (isSuspended) await network.admin.call('suspendRoom', { body: { roomName: name, userNotification: false } })
    const [copy] = (await whereabouts(network, name)).copies
    made.push({ name, id: copy?.roomId ?? '', digest: copy?.digest ?? '', isSuspended })
  }
  await network.settle()
  for (const room of made) await expectWhole(room, 1)
  return made
}

/** Begins with a worker, then goes through all victims again and again, each time in a random order. */
function eachVictim(random: () => number): () => Victim {
  let left: Victim[] = ['worker']
  return () => {
    if (left.length === 0) left = [...victims]
    const [next = 'worker'] = left.splice(Math.floor(random() * left.length), 1)
    return next
  }
}

/** @returns how many processes were killed while the rooms moved */
async function moveUnderFire(
  id: number,
  made: readonly MadeRoom[],
  nextVictim: () => Victim,
  random: () => number,
): Promise<number> {
  const killedBefore = killedSoFar()
  await startRun(network, { migrationId: id, rooms: made.map(({ name }) => name), skippActiveSessions: true })
  while (await isRunning(id)) {
    await pause(100 + random() * 900)
    const victim = nextVictim()
    await supervision.kill(victim, victim === 'worker' ? await busiestWorker(id) : 0)
  }
  await network.database.rows('update live_migrations set warning = false')
  await network.settle()
  return killedSoFar() - killedBefore
}

function killedSoFar(): number {
  return [...supervision.killed.values()].reduce((sum, each) => sum + each, 0)
}

/** Waits until a worker moves rooms. @returns the index of the worker that moves the most */
async function busiestWorker(id: number): Promise<number> {
  let busiest = -1
  await until('a worker moves a room', async () => {
    const [found] = await network.database.rows<{ pid: number }>(
      `select w.pid from operations o join workers w on w.id = o.worker_id
        where o.kind = 'room.migrate' and o.ended_at is null group by w.pid order by count(*) desc limit 1`,
    )
    busiest = workers.findIndex(({ child }) => child.pid === found?.pid)
    return busiest >= 0 || !(await isRunning(id))
  })
  return Math.max(busiest, 0)
}

/** How many moves another worker has continued. */
async function movesTakenOver(): Promise<number> {
  const [row] = await network.database.rows<{ moves: number }>(
    `select count(*)::int as moves from operations where kind = 'room.migrate' and fence > 1`,
  )
  return row?.moves ?? 0
}

async function isRunning(id: number): Promise<boolean> {
  const [row] = await network.database.rows<{ state: string }>('select state from live_migrations where id = $1', [id])
  return row?.state === 'RUNNING'
}

/** The outcomes of the newest run; prints the reasons of the rooms that did not arrive. */
async function outcomesOf(id: number): Promise<{ outcome: string }[]> {
  const found = await network.database.rows<{ outcome: string; room_name: string; reason: string | null }>(
    `select r.state as outcome, r.room_name, r.reason
       from operation_items r join live_migrations m on m.run_id = r.parent_id where m.id = $1`,
    [id],
  )
  for (const { outcome, room_name, reason } of found)
    if (outcome !== 'done') console.log(`${room_name}: ${outcome}: ${reason}`)
  return found
}

async function expectWhole({ name, id, digest, isSuspended }: MadeRoom, region: number): Promise<void> {
  // If a region was killed at the last moment, its lock expires by itself.
  await until(
    `${name} is unlocked`,
    async () => !(await whereabouts(network, name)).copies.some((copy) => copy?.locked),
    90,
  )
  const { row, copies } = await whereabouts(network, name)
  expect({ name, region: row?.region_id, state: row?.state }).toEqual({
    name,
    region,
    state: isSuspended ? 'SUSPENDED' : 'DEFAULT',
  })
  const copy = { state: isSuspended ? 'suspended' : 'active', locked: false, digest, roomId: id }
  expect({ name, copies }).toEqual({ name, copies: region === 1 ? [copy, null] : [null, copy] })
}

async function expectNothingLeft(): Promise<void> {
  const [left] = await network.database.rows<Record<string, number>>(
    `select (select count(*)::int from operations where ended_at is null) as operations,
            (select count(*)::int from capacity_reservations) as reservations,
            (select count(*)::int from operation_slots) as slots,
            (select count(*)::int from operation_items where state in ('waiting', 'running')) as rooms`,
  )
  expect(left).toEqual({ operations: 0, reservations: 0, slots: 0, rooms: 0 })
  expect(await countsAreRight(network)).toBe(true)
}
