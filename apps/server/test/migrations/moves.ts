/** Shared by the tests of moves: starting a run, and finding out where a room is. */
import { randomUUID } from 'node:crypto'
import type { Network, RunningRegion } from '@roomkeeper/dev-env'
import { saveMigration } from './call-support.ts'

interface RunOptions {
  migrationId: number
  rooms: readonly string[]
  skippActiveSessions?: boolean
}

/** @returns the run's operation */
export async function startRun(network: Network, options: RunOptions): Promise<string> {
  const { migrationId, rooms, skippActiveSessions = false } = options
  const body = { liveMigrationData: { id: migrationId }, selectedRooms: [...rooms], skippActiveSessions }
  return (await network.admin.call('startLiveMigration', { body })).body.operationId
}

/** Moves the rooms and waits until everything has ended. */
export async function moveAll(network: Network, options: RunOptions): Promise<void> {
  await startRun(network, options)
  await network.settle()
}

/** A configuration of its own for each test, also where the same regions have one already, as in older installations. */
export async function newMigration(network: Network, given: Parameters<typeof saveMigration>[1] = {}): Promise<number> {
  const { sourceRegion = 1, targetRegion = 2, routing = false, parallel = false } = given
  const { body: stored } = await network.admin.call('liveMigrations', {})
  if (!stored.some((each) => each.sourceRegion === sourceRegion && each.targetRegion === targetRegion))
    return (await saveMigration(network, given)).id
  const [row] = await network.database.rows<{ id: number }>(
    `insert into live_migrations (source_region_id, target_region_id, routing, parallel)
     values ($1, $2, $3, $4) returning id`,
    [sourceRegion, targetRegion, routing, parallel],
  )
  if (row === undefined) throw new Error('No configuration was stored.')
  return row.id
}

export async function migrationState(network: Network, id: number) {
  const [row] = await network.database.rows<{ state: string; warning: boolean }>(
    'select state, warning from live_migrations where id = $1',
    [id],
  )
  return row
}

interface Entry {
  room_name: string
  outcome: string
  error: string
  log: string
}

/** The state entries, oldest first. */
export function entriesOf(network: Network, id: number): Promise<Entry[]> {
  return network.database.rows<Entry>(
    'select room_name, outcome, error, log from live_migration_states where migration_id = $1 order by id',
    [id],
  )
}

/** Where a room is and in which state, in the console and on each region; null where a region does not have it. */
export async function whereabouts(network: Network, name: string) {
  const [row] = await network.database.rows<{ region_id: number; state: string; priority: number }>(
    'select region_id, state, priority from rooms where name = $1',
    [name],
  )
  const copies = await Promise.all(network.regions.map((region) => copyIn(region, name)))
  const [left] = await network.database.rows<{ left: number }>(
    'select count(*)::int as left from capacity_reservations',
  )
  return { row: row ?? null, copies, reserved: left?.left ?? 0 }
}

async function copyIn({ client }: RunningRegion, name: string) {
  const found = await client.room(name)
  if (found === null) return null
  const { digest } = await client.runJob(`look-${randomUUID()}`, { type: 'digestRoom', room: name })
  return { state: found.state, locked: found.locked, digest, roomId: found.roomId }
}

/** Ends all sessions in the room. */
export async function endSessions(network: Network, room: string): Promise<void> {
  for (const { client } of network.regions) {
    if ((await client.room(room)) === null) continue
    for (const session of await client.sessions(room)) await client.endSession(room, session.id)
  }
}

/** Whether the counts of regions, which triggers keep, equal a recount. */
export async function countsAreRight(network: Network): Promise<boolean> {
  const wrong = await network.database.rows(
    `select id from regions where room_count <> (select count(*) from rooms where region_id = regions.id)
       + (select count(*) from capacity_reservations where region_id = regions.id)`,
  )
  return wrong.length === 0
}
