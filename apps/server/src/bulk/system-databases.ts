/**
 * A bulk that updates the system databases of all rooms of one region or of all. It waits for busy rooms; rooms that
 * are neither active nor suspended are skipped and listed. A region that does not answer at the beginning, or whose
 * first rooms all fail, is given up: its other rooms fail with that reason, for a retry.
 */
import { because, type CodedReason, englishReason } from '@roomkeeper/contract'
import { RegionRefusal, RegionUnreachable } from '@roomkeeper/region-protocol'
import { recordChange } from '#changes/index.ts'
import { countItems, failWaitingItems, runItems, startOnce, startOperation, toldByRegion } from '#operations/index.ts'
import { lockUntilCommit } from '#platform/advisory-locks.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { mapConcurrently } from '#platform/map-concurrently.ts'
import { pause } from '#platform/pause.ts'
import { refuse } from '#platform/refuse.ts'
import type { StartingCall } from '#rooms/index.ts'
import { type BulkCall, bulkOperation } from './bulk-run.ts'
import { insertBulk } from './stored-bulks.ts'

const kind = 'system-databases.update'

export const updateSystemDatabases = bulkOperation({
  kind,
  process: 'Update system DB',
  isOfWholeRegions: true,
  step: { id: 'update-rooms', title: 'update the project rooms' },
  async run(call, work) {
    await addRooms(call)
    await giveUpSilentRegions(call)
    await runItems(call, {
      ...work,
      // A region that falls silent later is given up as well, when its first rooms have failed. Waiting for it would keep
      // updates of all other regions from starting.
      needsRegion: () => false,
      async settle(roomIds) {
        await work.settle(roomIds)
        await countCancelledAsFailed(call, roomIds)
        await giveUpHopelessRegions(call, roomIds)
      },
    })
    return report(call)
  },
  retrying: (tx, { id, regionId }) => refuseIfRunning(tx, regionId, id),
})

/** @param regionId null: all regions @throws Refusal `region-unknown`, `update-running` */
export function startUpdate(
  database: Database,
  regionId: number | null,
  route: 'updateSystemDatabases' | 'updateSystemDatabasesOfRegion',
  { caller, requestId, header }: StartingCall,
): Promise<string> {
  const request = { caller, route, key: header('idempotency-key'), body: { regionId } }
  return startOnce(database, request, async (tx) => {
    const subject = await subjectOf(tx, regionId)
    await refuseIfRunning(tx, regionId, null)
    const action = { action: 'updateSystemDatabase', parameters: {} } as const
    const { actor: startedBy, role } = caller
    const parts = { input: { action: action.action }, room: null, subject: englishReason(subject), regionId }
    const id = await startOperation(tx, updateSystemDatabases, { ...parts, startedBy, requestId })
    await insertBulk(tx, { id, action, total: 0, startedBy, role, access: 'admin' })
    const by = { actor: startedBy, requestId, operationId: id }
    await recordChange(tx, { kind: 'system-databases.update', ...by, bulkId: id, detail: subject })
    return id
  })
}

async function subjectOf(tx: Tx, regionId: number | null): Promise<CodedReason> {
  if (regionId === null) return because('audit-all-rooms')
  const [region] = await queryRows<{ name: string }>(tx, 'select name from regions where id = $1', [regionId])
  if (region === undefined) throw refuse('region-unknown', { region: regionId })
  return because('audit-all-rooms-of', { region: region.name })
}

/** Two updates that share a region would only wait for each other's rooms. */
async function refuseIfRunning(tx: Tx, regionId: number | null, except: string | null): Promise<void> {
  await lockUntilCommit(tx, 'updates of system databases')
  const running = await queryRows(
    tx,
    `select from operations where kind = $1 and state in ('waiting', 'running', 'cancelling')
        and ($2::int is null or region_id is null or region_id = $2) and id is distinct from $3 limit 1`,
    [kind, regionId, except],
  )
  if (running.length > 0) throw refuse('update-running')
}

const addedAtOnce = 5_000

/**
 * Adds the rooms that existed when the update was started. In pieces, because there may be a million; a worker that
 * takes over goes on after the last one.
 */
async function addRooms(call: BulkCall): Promise<void> {
  for (let added = addedAtOnce; added === addedAtOnce; ) {
    call.signal.throwIfAborted()
    const [row] = await call.transaction((tx) =>
      queryRows<{ added: number }>(tx, addSome, [call.id, call.regionId, addedAtOnce]),
    )
    added = row?.added ?? 0
  }
}

const addSome = `
  with added as (
    insert into operation_items (parent_id, position, room_id, room_name, region_id)
    select $1, 0, id, name, region_id from rooms
     where ($2::int is null or region_id = $2) and created_at <= (select created_at from operations where id = $1)
       and id > coalesce((select room_id from operation_items where parent_id = $1 order by room_id desc limit 1),
                         '00000000-0000-0000-0000-000000000000')
     order by id limit $3
    returning 1
  )
  update bulks set total = total + (select count(*) from added) where id = $1
  returning (select count(*)::int from added) as added`

/** Disabled regions are asked, too, because they may only be in maintenance. */
async function giveUpSilentRegions(call: BulkCall): Promise<void> {
  const regions = await queryRows<{ id: number; name: string }>(
    call.services.db,
    `select id, name from regions g where exists (
       select from operation_items where parent_id = $1 and state = 'waiting' and region_id = g.id)`,
    [call.id],
  )
  await mapConcurrently(regions, askedAtOnce, async ({ id, name }) => {
    const problem = await whyNotReachable(call, id)
    if (problem === null) return
    await call.log([ofRegion(name, problem)], 'warning')
    await failWaiting(call, id, problem)
  })
}

const askedAtOnce = 100
/** How long to wait for a region that does not answer: it may be restarting. */
const patienceMilliseconds = 15_000

async function whyNotReachable(call: BulkCall, regionId: number): Promise<CodedReason | null> {
  for (const deadline = performance.now() + patienceMilliseconds; ; ) {
    try {
      await (await call.services.connectRegion(regionId, call.signal)).status()
      return null
    } catch (error) {
      const isItsFault = error instanceof RegionUnreachable || error instanceof RegionRefusal
      if (!isItsFault) throw error
      if (!error.isTransient || performance.now() > deadline) return toldByRegion(error)
      await pause(1000, call.signal)
      call.signal.throwIfAborted()
    }
  }
}

/** After this many failures in a region without any success, its other rooms would most likely fail too. */
const hopelessFailures = 5

/** @param settled rooms whose outcomes were just recorded */
async function giveUpHopelessRegions(call: BulkCall, settled: readonly string[]): Promise<void> {
  const hopeless = await queryRows<{ id: number; name: string }>(
    call.services.db,
    `select g.id, g.name from regions g
      where g.id in (select region_id from operation_items where parent_id = $1 and room_id = any($2) and state = 'failed')
        and not exists (select from operation_items where parent_id = $1 and state = 'done' and region_id = g.id)
        and exists (select from operation_items where parent_id = $1 and state = 'failed' and region_id = g.id
                     offset $3)
        and exists (select from operation_items where parent_id = $1 and state = 'waiting' and region_id = g.id)`,
    [call.id, settled, hopelessFailures - 1],
  )
  for (const { id, name } of hopeless) {
    await failWaiting(call, id, because('log-first-failed', { failed: hopelessFailures }))
    const reason = because('log-no-other-tried', { failed: hopelessFailures })
    await call.log([because('of-region', { region: name, reason })], 'warning')
  }
}

function failWaiting(call: BulkCall, regionId: number, why: CodedReason): Promise<void> {
  return failWaitingItems((work) => call.transaction(work), { parentId: call.id, regionId, reasons: [why] })
}

/** The room of an operation that was cancelled by itself is not updated, so a retry takes it up again. */
async function countCancelledAsFailed(call: BulkCall, roomIds: readonly string[]): Promise<void> {
  await call.transaction((tx) =>
    queryRows(
      tx,
      `update operation_items set state = 'failed' where parent_id = $1 and room_id = any($2::uuid[]) and state = 'cancelled'`,
      [call.id, roomIds],
    ),
  )
}

/** The number of room names in one line of the log. */
const namesPerLine = 100

/**
 * Writes the summary at the end of the log: the outcome for each region, and the rooms that were skipped or not tried.
 * @returns why the update failed, or null if every room that was due could be updated
 */
async function report(call: BulkCall): Promise<CodedReason | null> {
  const regions = await outcomesOf(call)
  for (const { id, region, notTried, ...outcome } of regions) {
    const counts = { region, ...outcome, skipped: outcome.skipped + notTried }
    await call.log([because('log-region-updated', counts)], outcome.failed + notTried > 0 ? 'warning' : 'info')
    for (const [state, rooms] of Map.groupBy(await skippedRooms(call, id), (room) => room.state)) {
      const names = rooms.map(({ name }) => name)
      for (let from = 0; from < names.length; from += namesPerLine)
        await call.log(
          [because(`log-skipped-${state}`, { rooms: names.slice(from, from + namesPerLine).join(', ') })],
          'warning',
        )
    }
  }
  if (regions.length === 0) await call.log([because('log-nothing-to-update')])
  const { failed } = (await countItems(call.services.db, call.id)).rooms
  if (failed === 0) return null
  return failed === 1 ? because('one-room-not-updated') : because('rooms-not-updated', { rooms: failed })
}

interface Outcome {
  id: number
  region: string
  updated: number
  failed: number
  skipped: number
  /** Rooms of a region that was given up. */
  notTried: number
}

function outcomesOf({ id, services: { db } }: BulkCall): Promise<Outcome[]> {
  return queryRows<Outcome>(
    db,
    `select g.id, g.name as region,
            count(*) filter (where i.state = 'done')::int as updated,
            count(*) filter (where i.state = 'failed' and i.operation_id is not null)::int as failed,
            count(*) filter (where i.state in ('skipped', 'cancelled'))::int as skipped,
            count(*) filter (where i.state = 'failed' and i.operation_id is null)::int as not_tried
       from operation_items i join regions g on g.id = i.region_id
      where i.parent_id = $1 group by g.id order by g.id`,
    [id],
  )
}

interface SkippedRoom {
  name: string
  state: 'DEFAULT' | 'SUSPENDED' | 'IN_PROGRESS' | 'ERROR' | 'ON_DELETING'
}

function skippedRooms({ id, services: { db } }: BulkCall, regionId: number): Promise<SkippedRoom[]> {
  return queryRows<SkippedRoom>(
    db,
    `select r.name, case r.state when 'MARKED_FOR_DELETION' then 'ON_DELETING' else r.state::text end as state
       from operation_items i join rooms r on r.id = i.room_id
      where i.parent_id = $1 and i.region_id = $2
        and (i.state in ('skipped', 'cancelled') or i.state = 'failed' and i.operation_id is null)
      order by r.state, r.name`,
    [id, regionId],
  )
}

/** Adds the region's name to a reason that lacks it. */
function ofRegion(region: string, reason: CodedReason): CodedReason {
  return reason.params.region === region ? reason : because('of-region', { region, reason })
}
