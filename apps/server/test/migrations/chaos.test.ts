/**
 * Whole migrations there and back while servers, workers and regions are killed at random moments. At the end every
 * room is whole, in the one region that the console names, and the doctor finds nothing.
 *
 * CHAOS_ROOMS, CHAOS_ROUNDS: how much; CHAOS_SEED repeats the choice of victims. `npm run chaos`: 200 rooms, 20 rounds.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { bootNetwork, type Network, roomDraft, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { randomFrom } from '../chaos/random.ts'
import { type Supervision, supervise, type Victim } from '../chaos/supervise.ts'
import { writeDocuments } from '../life/room-life.ts'
import { countsAreRight, newMigration, startRun, whereabouts } from './moves.ts'

const rooms = Number(process.env.CHAOS_ROOMS ?? 8)
const rounds = Number(process.env.CHAOS_ROUNDS ?? 2)
const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))
const minutes = 3 + Math.ceil((rooms * rounds) / 20)

let network: Network
let supervision: Supervision
const worker = { PROCESS: 'worker' }

beforeAll(async () => {
  network = await bootNetwork({ regions: 2, env: { PROCESS: 'api', WORKER_LEASE_SECONDS: '3' } })
  supervision = supervise(network, await Promise.all([network.addServer(worker), network.addServer(worker)]))
})
afterAll(async () => {
  await supervision?.letGo()
  await network?.stop()
})

it(
  'every room is whole, in exactly one region, after migrations through which everything is killed again and again',
  async () => {
    const random = randomFrom(seed)
    const names = await makeRooms()
    const digests = new Map<string, string>()
    for (const name of names) digests.set(name, digestOf(await whereabouts(network, name)))
    const migrations = [
      { id: await newMigration(network, { parallel: true }), from: 1 },
      { id: await newMigration(network, { parallel: true, sourceRegion: 2, targetRegion: 1, routing: true }), from: 2 },
    ]
    const kills = { api: 0, worker: 0, source: 0, target: 0 }
    const outcomes = new Map<string, number>()
    let checked = 0
    for (let round = 0; round < rounds; round += 1) {
      const migration = migrations[round % 2] as (typeof migrations)[number]
      await moveUnderFire(migration, random, kills)
      for (const { outcome } of await outcomesOf(migration.id)) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      for (const name of names) await expectWhole(name, digests.get(name))
      checked += names.length
      await expectNothingLeft()
      console.log(`round ${round + 1}: ${JSON.stringify(kills)} ${JSON.stringify(Object.fromEntries(outcomes))}`)
    }
    console.log(
      `chaos (seed ${seed}): ${rounds} rounds, kills ${JSON.stringify(kills)}, ${checked} rooms checked, outcomes ${JSON.stringify(Object.fromEntries(outcomes))}`,
    )
    expect(await network.doctor()).toEqual([])
    // Whatever is killed comes back soon, so nothing is a reason not to arrive.
    expect(Object.fromEntries(outcomes)).toEqual({ migrated: rooms * rounds })
  },
  minutes * 60_000,
)

/** Some with more content than others, every third suspended. */
async function makeRooms(): Promise<string[]> {
  const names = Array.from({ length: rooms }, (_, index) => `chaos${index}`)
  await Promise.all(names.map((tenantName) => network.admin.call('createRoom', { body: roomDraft({ tenantName }) })))
  await network.settle()
  for (const [index, name] of names.entries()) {
    const document = { of: name, text: `${index} `.repeat(20_000 * (index % 4)) }
    await writeDocuments(network, name, { first: document, second: document })
    if (index % 3 === 0) await network.admin.call('suspendRoom', { body: { roomName: name, userNotification: false } })
  }
  await network.settle()
  return names
}

type Kills = Record<'api' | 'worker' | 'source' | 'target', number>

async function moveUnderFire(
  { id, from }: { id: number; from: number },
  random: () => number,
  kills: Kills,
): Promise<void> {
  const there = await network.database.rows<{ name: string }>('select name from rooms where region_id = $1', [from])
  await startRun(network, { migrationId: id, rooms: there.map(({ name }) => name), skippActiveSessions: true })
  const victims = ['api', 'worker', 'source', 'target'] as const
  while (await isRunning(id)) {
    await pause(100 + random() * 900)
    const victim = victims[Math.floor(random() * victims.length)] ?? 'worker'
    kills[victim] += 1
    await supervision.kill(processOf(victim, from), Math.floor(random() * 2))
  }
  await network.database.rows('update live_migrations set warning = false')
  await network.settle()
}

function processOf(victim: keyof Kills, from: number): Victim {
  switch (victim) {
    case 'api':
    case 'worker':
      return victim
    case 'source':
      return from === 1 ? 'region1' : 'region2'
    case 'target':
      return from === 1 ? 'region2' : 'region1'
  }
}

async function isRunning(id: number): Promise<boolean> {
  const [row] = await network.database.rows<{ state: string }>('select state from live_migrations where id = $1', [id])
  return row?.state === 'RUNNING'
}

/** Of the newest run, with the reasons of those that did not arrive. */
async function outcomesOf(id: number): Promise<{ outcome: string }[]> {
  const found = await network.database.rows<{ outcome: string; room_name: string; reason: string | null }>(
    `select r.state as outcome, r.room_name, r.reason
       from live_migration_rooms r join live_migrations m on m.run_id = r.run_id where m.id = $1`,
    [id],
  )
  for (const { outcome, room_name, reason } of found)
    if (outcome !== 'migrated') console.log(`${room_name}: ${outcome}: ${reason}`)
  return found
}

async function expectWhole(name: string, digest: string | undefined): Promise<void> {
  // A lock whose region was killed at the last moment ends by itself.
  await until(
    `${name} is unlocked`,
    async () => !(await whereabouts(network, name)).copies.some((copy) => copy?.locked),
    90,
  )
  const { row, copies } = await whereabouts(network, name)
  const state = row?.state === 'SUSPENDED' ? 'suspended' : 'active'
  expect({ name, state: row?.state }).toEqual({ name, state: expect.stringMatching(/^(DEFAULT|SUSPENDED)$/) })
  const expected = [null, null].map((_, index) =>
    index + 1 === row?.region_id ? { state, locked: false, digest, roomId: expect.any(String) } : null,
  )
  expect({ name, copies }).toEqual({ name, copies: expected })
}

async function expectNothingLeft(): Promise<void> {
  const [left] = await network.database.rows<Record<string, number>>(
    `select (select count(*)::int from operations where ended_at is null) as operations,
            (select count(*)::int from reserved_places) as reservations,
            (select count(*)::int from operation_places) as places,
            (select count(*)::int from live_migration_rooms where state in ('waiting', 'running')) as rooms`,
  )
  expect(left).toEqual({ operations: 0, reservations: 0, places: 0, rooms: 0 })
  expect(await countsAreRight(network)).toBe(true)
}

function digestOf({ row, copies }: Awaited<ReturnType<typeof whereabouts>>): string {
  return copies[(row?.region_id ?? 0) - 1]?.digest ?? 'none'
}
