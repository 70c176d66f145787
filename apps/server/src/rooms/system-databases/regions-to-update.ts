/**
 * The regions whose rooms are to be updated, each with its initial progress. Disabled regions are included, because
 * they may only be in maintenance.
 */

import type { CodedReason } from '@roomkeeper/contract'
import { RegionRefusal, RegionUnreachable } from '@roomkeeper/region-protocol'
import { toldByRegion } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'
import { pause } from '#platform/pause.ts'
import type { RegionUpdate, UpdateCall } from './update-call.ts'

export async function regionsToUpdate(call: UpdateCall): Promise<RegionUpdate[]> {
  const found = await queryRows<{ id: number; name: string; rooms: number }>(
    call.services.db,
    `select g.id, g.name, (select count(*)::int from rooms r where r.region_id = g.id
                              and r.state in ('DEFAULT', 'SUSPENDED', 'IN_PROGRESS')) as rooms
       from regions g where $1::int is null or g.id = $1 order by g.id`,
    [call.regionId],
  )
  const regions = found.filter(({ rooms }) => rooms > 0).map((region) => ({ ...region, problem: null, ...atStart }))
  return Promise.all(regions.map(async (region) => ({ ...region, problem: await whyNotReachable(call, region.id) })))
}

const atStart = {
  after: '00000000-0000-0000-0000-000000000000',
  someAreBusy: false,
  allStarted: false,
  finished: false,
}

/** How long to wait for a region that does not answer: it may be restarting. */
const patienceMilliseconds = 15_000

/** Checked beforehand, so that the rooms of an unreachable region are not tried one after another. */
async function whyNotReachable(call: UpdateCall, regionId: number): Promise<CodedReason | null> {
  for (const deadline = Date.now() + patienceMilliseconds; ; ) {
    try {
      await (await call.services.connectRegion(regionId, call.signal)).status()
      return null
    } catch (error) {
      const isItsFault = error instanceof RegionUnreachable || error instanceof RegionRefusal
      if (!isItsFault) throw error
      if (!error.isTransient || Date.now() > deadline) return toldByRegion(error)
      await pause(1000, call.signal)
      call.signal.throwIfAborted()
    }
  }
}
