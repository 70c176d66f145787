/** Writes the summary at the end of an update's log: the outcome for each region, and the rooms that were skipped. */
import { because, type CodedReason } from '@roomkeeper/contract'
import { queryRows } from '#platform/database.ts'
import type { RegionUpdate, UpdateCall } from './update-call.ts'

/** The number of room names in one line of the log. */
const namesPerLine = 100

/** @returns why the update failed, or null if every room that was due could be updated */
export async function report(call: UpdateCall, regions: readonly RegionUpdate[]): Promise<CodedReason | null> {
  let allFailed = 0
  for (const region of regions) {
    const { updated, failed } = await outcomesOf(call, region.id)
    const skipped = await skippedRooms(call, region.id)
    const notReached = region.problem === null ? 0 : skipped.filter(({ state }) => isUsable(state)).length
    const counts = { region: region.name, updated, failed, skipped: skipped.length }
    await call.log([because('log-region-updated', counts)], failed + notReached > 0 ? 'warning' : 'info')
    if (region.problem !== null) await call.log([ofRegion(region.name, region.problem)], 'warning')
    for (const [state, names] of byState(skipped)) {
      for (let from = 0; from < names.length; from += namesPerLine)
        await call.log(
          [because(`log-skipped-${state}`, { rooms: names.slice(from, from + namesPerLine).join(', ') })],
          'warning',
        )
    }
    allFailed += failed + notReached
  }
  if (regions.length === 0) await call.log([because('log-nothing-to-update')])
  if (allFailed === 0) return null
  return allFailed === 1 ? because('one-room-not-updated') : because('rooms-not-updated', { rooms: allFailed })
}

async function outcomesOf(call: UpdateCall, regionId: number): Promise<{ updated: number; failed: number }> {
  const [row] = await queryRows<{ updated: number; failed: number }>(
    call.services.db,
    `select count(*) filter (where state = 'done')::int as updated,
            count(*) filter (where state in ('failed', 'cancelled') and (input->>'run')::int = $3)::int as failed
       from operations where parent_id = $1 and region_id = $2`,
    [call.id, regionId, call.attempt],
  )
  return row ?? { updated: 0, failed: 0 }
}

type SkippedState = 'DEFAULT' | 'SUSPENDED' | 'IN_PROGRESS' | 'ERROR' | 'ON_DELETING'

interface SkippedRoom {
  name: string
  state: SkippedState
}

/** The rooms that existed when the update started and that it has not tried to update. */
function skippedRooms(call: UpdateCall, regionId: number): Promise<SkippedRoom[]> {
  return queryRows<SkippedRoom>(
    call.services.db,
    `select r.name, r.state::text as state from rooms r
      where r.region_id = $1 and r.created_at <= (select created_at from operations where id = $2)
        and not exists (select from operations o where o.room_id = r.id and o.parent_id = $2
                           and (o.state = 'done' or (o.input->>'run')::int = $3))
      order by r.state, r.name`,
    [regionId, call.id, call.attempt],
  )
}

const isUsable = (state: SkippedState) => state === 'DEFAULT' || state === 'SUSPENDED'

function byState(rooms: readonly SkippedRoom[]): Map<SkippedState, string[]> {
  const names = new Map<SkippedState, string[]>()
  for (const { name, state } of rooms) names.set(state, [...(names.get(state) ?? []), name])
  return names
}

/** A reason that names its region already stands for itself. */
function ofRegion(region: string, reason: CodedReason): CodedReason {
  return reason.params.region === region ? reason : because('of-region', { region, reason })
}
