/**
 * Tells regions to refuse late calls of an operation as soon as it has ended, and again later if a region was
 * unreachable.
 */
import { type Db, queryRows } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import type { Scheduler } from '#platform/recurring.ts'
import { steadyTime } from '#platform/steady-time.ts'
import type { ConnectRegion } from './connect-region.ts'
import { forgetUnanswered, type LateCall, refuseEachLateCall } from './late-calls.ts'

interface RefusingLateCalls {
  /** Call it at the end of an operation that may have late calls. Works in the background. */
  refuse(operationId: string): void
}

interface Parts {
  db: Db
  connectRegion: ConnectRegion
  log: Log
}

export function startRefusingLateCalls(scheduler: Scheduler, { db, connectRegion, log }: Parts): RefusingLateCalls {
  const tell = async (operationId: string | null) => {
    const late = await lateCalls(db, operationId)
    const regions = new Set(late.map((each) => each.regionId))
    // An unreachable region must not delay the others, and is no failure of this work.
    await Promise.all(
      [...regions].map((id) =>
        tellRegion(
          id,
          late.filter((each) => each.regionId === id),
        ).catch(notYet),
      ),
    )
  }
  const tellRegion = async (id: number, late: readonly LateCall[]) => {
    const region = await connectRegion(id, undefined, 'plain')
    await refuseEachLateCall(db, region, late)
  }
  const notYet = (error: unknown) => log.info({ err: error }, 'a region could not be told yet what it is to refuse')
  scheduler.start({
    name: 'refusal of late calls',
    everySeconds: 30,
    scope: 'cluster',
    ignoresClock: true,
    run: () => tell(null),
  })
  return {
    refuse(operationId) {
      forgetUnanswered(operationId)
      void tell(operationId).catch(notYet)
    },
  }
}

/** They are kept for a day, as no call is on its way for longer. Regions that were deleted are left out. */
function lateCalls(db: Db, operationId: string | null): Promise<LateCall[]> {
  return queryRows<LateCall>(
    db,
    `with old as (delete from late_calls where ended_at < ${steadyTime} - interval '1 day')
     select operation_id, region_id, fence from late_calls
      where region_id in (select id from regions)
        and ($1::uuid is null or operation_id = $1)
      order by ended_at`,
    [operationId],
  )
}
