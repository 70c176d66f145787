/** Deletes a region from the console only: its server keeps its data. */
import { retainBackupsOfRegion } from '#backups/index.ts'
import { type AuditContext, recordAudit } from '#operators/index.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { announce } from '#platform/events.ts'
import { refuse } from '#platform/refuse.ts'
import { enqueueWebhooksOfRooms } from '#room-events/index.ts'
import { lockSettings } from './stored-region.ts'

/**
 * Also removes its rooms, each with an entry in the audit trail; their backups stay and are listed.
 * @throws Refusal `region-unknown`, `region-in-migration`, `region-busy`
 */
export async function deleteRegion(database: Database, id: number, by: AuditContext): Promise<void> {
  await database.transaction(async (tx) => {
    await lockSettings(tx)
    const region = await tx.selectFrom('regions').select('name').where('id', '=', id).forUpdate().executeTakeFirst()
    if (region === undefined) throw refuse('region-unknown', { region: id })
    if (await isPartOfMigration(tx, id)) throw refuse('region-in-migration')
    await refuseWhileBusy(tx, id, region.name)
    await retainBackupsOfRegion(tx, id, region.name)
    await enqueueWebhooksOfRooms(tx, 'room.deleted', id, {})
    const rooms = await removeRooms(tx, id, region.name, by)
    // A transaction that had a room locked until now may have started an operation for it.
    await refuseWhileBusy(tx, id, region.name)
    await queryRows(
      tx,
      'update regions set source_regions = array_remove(source_regions, $1) where $1 = any(source_regions)',
      [id],
    )
    await tx.deleteFrom('regions').where('id', '=', id).execute()
    const changes = [{ field: 'numberOfProjectRooms', from: rooms, to: 0 }]
    await recordAudit(tx, { ...by, action: 'region.delete', detail: region.name, changes })
    await announce(tx, { type: 'region', regionId: id })
  })
}

async function isPartOfMigration(tx: Tx, id: number): Promise<boolean> {
  const found = await queryRows(
    tx,
    'select 1 from live_migrations where source_region_id = $1 or target_region_id = $1 limit 1',
    [id],
  )
  return found.length > 0
}

/** Checks an operation's own region and the region of its room, which may differ. */
async function refuseWhileBusy(tx: Tx, id: number, name: string): Promise<void> {
  const found = await queryRows(
    tx,
    `select 1 from operations o where o.state in ('waiting', 'running', 'cancelling')
        and (o.region_id = $1 or exists (select 1 from rooms r where r.id = o.room_id and r.region_id = $1))
     union all select 1 from capacity_reservations where region_id = $1 limit 1`,
    [id],
  )
  if (found.length > 0) throw refuse('region-busy', { region: name })
}

/** Uses one statement, so that its triggers run once for all rooms. @returns the number of removed rooms */
async function removeRooms(tx: Tx, id: number, regionName: string, by: AuditContext): Promise<number> {
  const [row] = await queryRows<{ removed: number }>(
    tx,
    `with gone as (delete from rooms where region_id = $1 returning id, name),
          noted as (insert into audit (actor, action, room_id, room_name, detail, changes, request_id)
                    select $2, 'room.remove-with-region', id, name, $3, '[]', $4 from gone)
     select count(*)::int as removed from gone`,
    [id, by.actor, regionName, by.requestId],
  )
  return row?.removed ?? 0
}
