/**
 * Regions that do not answer: a parent begins no item that needs one, because each would fail only after many tries.
 * While items wait for such regions, the parent asks them every 5 s, because nothing else may call them.
 */
import { because } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'
import { mapConcurrently } from '#platform/map-concurrently.ts'
import type { StepCall } from '../operation.ts'

export interface SilentRegion {
  id: number
  name: string
  isDisabled: boolean
}

/** Whether an item of this region (0: of all regions together) needs the region. */
export type NeedsRegion = (itemRegionId: number, region: SilentRegion) => boolean

/** @param untilBack counts those that are disabled or have not answered for a minute, too */
export function silentRegions(db: Db, untilBack: boolean): Promise<SilentRegion[]> {
  return queryRows<SilentRegion>(
    db,
    `select id, name, state = 'disabled' as is_disabled from regions
      where health = 'unreachable' or ($1 and (state = 'disabled' or health is distinct from 'answers' or health_since is null
                                                or health_since > now() - interval '1 minute'))
      order by name`,
    [untilBack],
  )
}

/** The silent regions that waiting items of the parent need. */
export async function regionsWaitedFor(
  db: Db,
  parentId: string,
  needsRegion: NeedsRegion,
  untilBack = false,
): Promise<SilentRegion[]> {
  const silent = await silentRegions(db, untilBack)
  if (silent.length === 0) return []
  const waiting = await queryRows<{ regionId: number }>(db, regionsOfWaiting, [parentId])
  return silent.filter((region) => waiting.some(({ regionId }) => needsRegion(regionId, region)))
}

/**
 * The start of a statement: `waiting_in`, the regions of waiting items of the parent ($1), and a last row with null. They
 * are found one after another in the index, because there may be 100,000 items.
 */
export const withRegionsOfWaiting = `
  with recursive waiting_in as (
    (select region_id from operation_items where parent_id = $1 and state = 'waiting' order by region_id limit 1)
    union all
    select (select region_id from operation_items
             where parent_id = $1 and state = 'waiting' and region_id > waiting_in.region_id order by region_id limit 1)
      from waiting_in where region_id is not null
  )`

const regionsOfWaiting = `${withRegionsOfWaiting} select region_id from waiting_in where region_id is not null`

const everyMilliseconds = 5_000
const answerMilliseconds = 5_000
const mostAtOnce = 4

type Call = Pick<StepCall<unknown>, 'log' | 'services' | 'signal'>

/**
 * @param changed tells pages to load the progress again
 * @param untilBack as of `silentRegions`
 * @returns a function to call in each round while items wait for these regions; it asks them every 5 s at most
 */
export function watchSilentRegions(
  call: Call,
  changed: () => Promise<void>,
  untilBack = false,
): (silent: readonly SilentRegion[]) => void {
  let told: readonly number[] = []
  let isLooking = false
  let lookedAt = Number.NEGATIVE_INFINITY
  const waits = untilBack ? 'log-waits-until-back' : 'log-waits-for-region'
  const look = async (silent: readonly SilentRegion[]) => {
    for (const { id, name } of silent)
      if (!told.includes(id)) await call.log([because(waits, { region: name })], 'warning')
    told = silent.map(({ id }) => id)
    await changed()
    await mapConcurrently(silent, mostAtOnce, ({ id }) => ask(call, id))
  }
  return (silent) => {
    if (isLooking || performance.now() - lookedAt < everyMilliseconds) return
    isLooking = true
    // Ignored here: if the database fails, the loop of `runItems` fails, too.
    void look(silent)
      .catch(() => undefined)
      .finally(() => {
        isLooking = false
        lookedAt = performance.now()
      })
  }
}

/** The call notes whether the region answers. */
async function ask({ services, signal }: Call, regionId: number): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(answerMilliseconds)])
  await services
    .connectRegion(regionId, limit)
    .then((region) => region.status())
    .catch(() => undefined)
}
