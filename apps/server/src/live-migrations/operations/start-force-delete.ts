/** Starts the removal of what failed migrations left in a target, in the caller's transaction. */
import { startOperation } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { forceDelete } from './force-delete.ts'

export interface ForceDeleteStart {
  migrationId: number
  /** As named in the state entries of failed moves. */
  rooms: readonly { id: string; name: string }[]
  startedBy: string
  requestId: string | null
}

/**
 * @returns the operation's id
 * @throws Refusal `migration-unknown`; `copy-in-use` when a room's copy in the target is the one in use;
 * `migration-running` while rooms are on their way to that region
 */
export async function startForceDelete(tx: Tx, start: ForceDeleteStart): Promise<string> {
  const { migrationId, startedBy, requestId } = start
  const migration = await tx
    .selectFrom('liveMigrations')
    .select('targetRegionId')
    .where('id', '=', migrationId)
    .executeTakeFirst()
  if (migration === undefined) throw refuse('migration-unknown', { id: migrationId })
  const targetRegionId = migration.targetRegionId
  // The start of a move reserves capacity under the same lock.
  await tx.selectFrom('regions').select('id').where('id', '=', targetRegionId).forUpdate().execute()
  const coming = await queryRows(tx, 'select from capacity_reservations where region_id = $1 limit 1', [targetRegionId])
  if (coming.length > 0) throw refuse('migration-running')
  // A server may be registered as several regions.
  const [used] = await queryRows<{ name: string }>(
    tx,
    `select r.name from rooms r join regions home on home.id = r.region_id join regions target on target.id = $1
      where r.id = any($2::uuid[]) and (home.id = target.id or home.instance_id = target.instance_id) limit 1`,
    [targetRegionId, start.rooms.map(({ id }) => id)],
  )
  if (used !== undefined) throw refuse('copy-in-use', { room: used.name })
  const rooms = start.rooms.map(({ id, name }) => ({ id, name }))
  const names = rooms.map(({ name }) => name)
  const subject = names.length <= 3 ? names.join(', ') : `${names.length} project rooms`
  const input = { migrationId, targetRegionId, rooms }
  return startOperation(tx, forceDelete, {
    input,
    room: null,
    subject,
    regionId: targetRegionId,
    startedBy,
    requestId,
  })
}
