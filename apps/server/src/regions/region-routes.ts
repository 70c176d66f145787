/** The calls that list, add, change, test and delete regions. */

import { rememberRoomsOfRegion } from '#backups/index.ts'
import { type AuditContext, recordChange, recordChangeOfRooms } from '#changes/index.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { type Handlers, noContent, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { addRegion, changeRegion, type RegionParts } from './change-region.ts'
import { listRegions, listSourceRegions, lockSettings } from './stored-region.ts'
import { testRegion } from './test-region.ts'

type RegionCalls = 'regions' | 'sourceRegions' | 'createRegion' | 'changeRegion' | 'deleteRegion' | 'testRegion'

export function regionHandlers(parts: RegionParts): Pick<Handlers, RegionCalls> {
  const { db } = parts.database
  return {
    regions: async () => ok(await listRegions(db)),
    sourceRegions: async () => ok(await listSourceRegions(db)),
    createRegion: async ({ body, caller, requestId }) =>
      ok(await addRegion(parts, body, { actor: caller.actor, requestId })),
    changeRegion: async ({ body, caller, requestId }) =>
      ok(await changeRegion(parts, body, { actor: caller.actor, requestId })),
    async deleteRegion({ body, caller, requestId }) {
      await deleteRegion(parts.database, body.id, { actor: caller.actor, requestId })
      return noContent
    },
    testRegion: async ({ body }) => ok(await testRegion(parts, body)),
  }
}

/**
 * Deletes a region from the console only: its server keeps its data. Also removes its rooms, each with an entry in the
 * audit trail; their backups stay and are listed, and their labels and notes stay until they are adopted again.
 * @throws Refusal `region-unknown`, `region-in-migration`, `region-busy`
 */
async function deleteRegion(database: Database, id: number, by: AuditContext): Promise<void> {
  await database.transaction(async (tx) => {
    await lockSettings(tx)
    const [region] = await queryRows<{ name: string }>(tx, 'select name from regions where id = $1 for update', [id])
    if (region === undefined) throw refuse('region-unknown', { region: id })
    if (await isPartOfMigration(tx, id)) throw refuse('region-in-migration')
    await refuseWhileBusy(tx, id, region.name)
    await rememberRoomsOfRegion(tx, id, region.name)
    const removed = { ...by, kind: 'room.remove-with-region' as const, regionId: id, detail: region.name }
    const rooms = await recordChangeOfRooms(tx, removed)
    // One statement, so that its triggers run once for all rooms.
    await queryRows(tx, 'delete from rooms where region_id = $1', [id])
    // A transaction that had a room locked until now may have started an operation for it.
    await refuseWhileBusy(tx, id, region.name)
    await queryRows(
      tx,
      'update regions set source_regions = array_remove(source_regions, $1) where $1 = any(source_regions)',
      [id],
    )
    await queryRows(tx, 'delete from regions where id = $1', [id])
    const changes = [{ field: 'numberOfProjectRooms', from: rooms, to: 0 }]
    await recordChange(tx, { kind: 'region.delete', ...by, regionIds: [id], detail: region.name, changes })
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
