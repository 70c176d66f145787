/** Shared by the tests of the calls of live migrations. */
import { randomUUID } from 'node:crypto'
import {
  type AuditEntry,
  type BodyGiven,
  type Problem,
  ProblemError,
  problem,
  type RefusalCode,
  type Route,
  type Routes,
} from '@roomkeeper/contract'
import type { Network, RunningRegion } from '@roomkeeper/dev-env'
import { openDatabase } from '#platform/database.ts'
import { insertRooms, type RoomGiven } from '../room-rows.ts'

type Draft = BodyGiven<Routes['saveLiveMigration']>

/** From region 1 to region 2 by default. */
export async function saveMigration(network: Network, draft: Partial<Draft> = {}) {
  const body = { sourceRegion: 1, targetRegion: 2, ...draft }
  return (await network.admin.call('saveLiveMigration', { body })).body
}

/** Inserts rooms into the database only; their regions do not have them. */
export async function giveRooms(network: Network, given: readonly RoomGiven[]): Promise<string[]> {
  const { db, close } = openDatabase(network.database.url, { maxConnections: 1 })
  return insertRooms(db, given).finally(close)
}

/** Inserts the records of a run that moves one room; no worker runs it. */
export async function insertOpenRun(network: Network, migrationId: number, room = 'moving') {
  const [run, move] = [randomUUID(), randomUUID()]
  for (const [id, parent] of [
    [run, null],
    [move, run],
  ]) {
    await network.database.rows(
      `insert into operations (id, kind, version, room_name, input, state, started_by, parent_id)
       values ($1, 'test', 1, '', '{}', 'running', 'test', $2)`,
      [id, parent],
    )
  }
  await network.database.rows(
    `insert into operation_items (parent_id, position, migration_id, room_id, room_name, state, operation_id)
     values ($1, 0, $2, $3, $4, 'running', $5)`,
    [run, migrationId, randomUUID(), room, move],
  )
  await setMigration(network, migrationId, `run_id = '${run}', started_at = now(), warning = true`)
  return { run, move }
}

/** Creates a room on a region's server without the console's knowledge. */
export async function makeCopy({ client }: RunningRegion, name: string, roomId: string): Promise<void> {
  await client.createRoom(name, {
    roomId,
    state: 'suspended',
    product: 'ARIS',
    edition: 'basic',
    licences: [],
    subLicences: [],
    subMiningType: 'NONE',
    expirationDate: null,
    contacts: {
      companyName: 'x',
      customerFirstName: 'x',
      customerLastName: 'x',
      customerContactDetails: null,
      ownerEmail: 'x@x',
      delegateEmail: null,
    },
  })
}

export async function roomIdOf(network: Network, name: string): Promise<string> {
  const [row] = await network.database.rows<{ id: string }>('select id from rooms where name = $1', [name])
  if (row === undefined) throw new Error(`There is no room ${name}.`)
  return row.id
}

export async function setMigration(network: Network, id: number, set: string): Promise<void> {
  await network.database.rows(`update live_migrations set ${set} where id = $1`, [id])
}

/** Sends the body as it is, which the typed client would refuse. @returns the problem in the answer */
export async function problemOf(network: Network, route: Route, body: unknown): Promise<Problem> {
  const answer = await fetch(network.server.address + route.path, {
    method: route.method,
    headers: { authorization: `Bearer ${network.admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return problem.parse(await answer.json())
}

export async function newestAudit(network: Network) {
  const [row] = await network.database.rows<Pick<AuditEntry, 'actor' | 'action' | 'detail' | 'changes'>>(
    'select actor, action, detail, changes from audit order by id desc limit 1',
  )
  return row
}

/** @param field the field of the first error */
export function isRefusal(code: RefusalCode, field?: string) {
  return (error: unknown) =>
    error instanceof ProblemError &&
    error.code === code &&
    (field === undefined || error.problem.errors?.[0]?.field === field)
}
