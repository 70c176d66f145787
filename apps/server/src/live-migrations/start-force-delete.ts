/** Starts a force delete: the removal of the copies that failed moves of a configuration left in its target. */
import { because, type CodedReason, type FieldError, fieldError } from '@roomkeeper/contract'
import { whyNotForceDelete } from '@roomkeeper/rules'
import { recordChange } from '#changes/index.ts'
import { addItems, startOnce, startOperation } from '#operations/index.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import type { StartingCall } from '#rooms/index.ts'
import { type LockedMigration, lockMigration, wayOf } from './configurations.ts'
import { forceDelete } from './operations/force-delete.ts'
import { parted, wrongRooms } from './selected-rooms.ts'

interface Wanted {
  projectRoomNames: string[]
  liveMigrationDataID: number
}

/**
 * @returns the operation's id
 * @throws Refusal `migration-unknown`, `migration-running`, `migration-warning`, `invalid-input`, `copy-in-use`
 */
export function startForceDelete(database: Database, wanted: Wanted, call: StartingCall): Promise<string> {
  const { caller, requestId } = call
  const { projectRoomNames: names, liveMigrationDataID: migrationId } = wanted
  const request = { caller, route: 'forceDeleteFailedRooms', key: call.header('idempotency-key'), body: wanted }
  return startOnce(database, request, async (tx) => {
    const migration = await lockMigration(tx, migrationId)
    const reason = whyNotForceDelete(migration)
    if (reason !== null) throw refuse(reason)
    const rooms = await failedRooms(tx, migration, names)
    const operationId = await start(tx, migration, rooms, { startedBy: caller.actor, requestId })
    await recordChange(tx, {
      actor: caller.actor,
      kind: 'live-migration.force-delete',
      detail: namedIn(wayOf(migration), rooms),
      operationId,
      requestId,
    })
    return operationId
  })
}

/**
 * @returns the operation's id
 * @throws Refusal `copy-in-use` when a room's copy in the target is the one in use; `migration-running` while rooms are
 * on their way to that region
 */
async function start(
  tx: Tx,
  { id: migrationId, targetRegion: targetRegionId }: LockedMigration,
  rooms: readonly { id: string; name: string }[],
  by: { startedBy: string; requestId: string },
): Promise<string> {
  // The start of a move reserves capacity under the same lock.
  await queryRows(tx, 'select from regions where id = $1 for update', [targetRegionId])
  const coming = await queryRows(tx, 'select from capacity_reservations where region_id = $1 limit 1', [targetRegionId])
  if (coming.length > 0) throw refuse('migration-running')
  // A server may be registered as several regions.
  const [used] = await queryRows<{ name: string }>(
    tx,
    `select r.name from rooms r join regions home on home.id = r.region_id join regions target on target.id = $1
      where r.id = any($2::uuid[]) and (home.id = target.id or home.instance_id = target.instance_id) limit 1`,
    [targetRegionId, rooms.map(({ id }) => id)],
  )
  if (used !== undefined) throw refuse('copy-in-use', { room: used.name })
  const names = rooms.map(({ name }) => name)
  const subject = names.length <= 3 ? names.join(', ') : `${names.length} project rooms`
  const input = { migrationId, targetRegionId }
  const parts = { input, room: null, subject, regionId: targetRegionId, ...by }
  const operationId = await startOperation(tx, forceDelete, parts)
  await addItems(tx, { parentId: operationId, migrationId: null, rooms })
  return operationId
}

/** As many names as a text holds, and how many more there are. */
function namedIn(way: string, all: readonly { name: string }[]): string | CodedReason {
  const { rooms, more } = parted(all.map(({ name }) => name))
  return more > 0 ? because('audit-and-more', { way, rooms, more }) : `${way}: ${rooms}`
}

/** The rooms whose newest entry says that they failed on their way to the configuration's present target. */
async function failedRooms(
  tx: Tx,
  { id, targetRegion, targetName }: LockedMigration,
  names: readonly string[],
): Promise<{ id: string; name: string }[]> {
  const entries = await queryRows<{ id: string; name: string; failed: boolean; wentThere: boolean }>(
    tx,
    `select distinct on (room_name, room_id) room_id as id, room_name as name, outcome = 'failed' as failed,
        coalesce(target_region_id = $3, false) as went_there
       from live_migration_states where migration_id = $1 and room_name = any($2::text[])
      order by room_name, room_id, live_migration_states.id desc`,
    [id, names, targetRegion],
  )
  const failed = entries.filter((each) => each.failed)
  checkAll(names, failed, notFailed)
  const there = failed.filter((each) => each.wentThere)
  checkAll(names, there, (unfit) => wrongRooms(field, 'rooms-not-under-way', targetName, unfit))
  // A deleted room that was restored under another name has kept its id.
  const byId = new Map(there.map((each) => [each.id, each.name]))
  return [...byId].map(([id, name]) => ({ id, name }))
}

/** @throws Refusal `invalid-input` that names the rooms that were not found */
function checkAll(
  names: readonly string[],
  found: readonly { name: string }[],
  wrong: (unfit: readonly string[]) => FieldError,
) {
  const known = new Set(found.map(({ name }) => name))
  const unfit = names.filter((name) => !known.has(name))
  if (unfit.length > 0) throw refuseInput([wrong(unfit)])
}

const field = 'projectRoomNames'

function notFailed(unfit: readonly string[]): FieldError {
  const { rooms, more } = parted(unfit)
  return more > 0
    ? fieldError(field, 'rooms-not-failed-and-more', { rooms, more })
    : fieldError(field, 'rooms-not-failed', { rooms })
}
