/**
 * Regions that are known not to answer: a bulk begins nothing there, because each room would fail only after many tries.
 * It asks them now and then, for nobody else may, and goes on when they are back.
 */
import { because } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'
import { announce } from '#platform/events.ts'
import { mapConcurrently } from '#platform/map-concurrently.ts'
import type { BulkCall } from './bulk-call.ts'

/** Rooms of a disabled region wait only for a move: any other action skips them. */
const isAwaited = (region: string, action: string) =>
  `(${region}.health = 'unreachable' and (${region}.state = 'enabled' or ${action} = 'move'))`

/** The bulk is `$1`, a region of its rooms `turn.region_id`. An e-mail needs no region, a move needs its target, too. */
export const isSilent = `exists (select from bulks where id = $1 and action <> 'notify') and (
  exists (select from bulks b join regions r on r.id = turn.region_id where b.id = $1 and ${isAwaited('r', 'b.action')})
  or exists (select from bulks b join regions r on r.id = (b.parameters ->> 'targetRegion')::int
              where b.id = $1 and b.action = 'move' and r.health = 'unreachable'))`

interface SilentRegion {
  id: number
  name: string
}

const waiting = `select from operation_items where parent_id = b.id and state = 'waiting'`

/** Those that rooms of the bulk wait for. */
export function silentRegions(db: Db, bulkId: string): Promise<SilentRegion[]> {
  return queryRows<SilentRegion>(
    db,
    `select r.id, r.name from regions r join bulks b on b.id = $1
      where ${isAwaited('r', 'b.action')} and b.action <> 'notify' and b.ended_at is null
        and (exists (${waiting} and region_id = r.id)
          or b.action = 'move' and r.id = (b.parameters ->> 'targetRegion')::int and exists (${waiting}))
      order by r.name`,
    [bulkId],
  )
}

const everyMilliseconds = 5_000
const answerMilliseconds = 5_000
const mostAtOnce = 4

/** @returns to be called as often as one likes while rooms wait for a region */
export function watchSilentRegions(call: BulkCall): () => void {
  const { db } = call.services
  let told: readonly number[] = []
  let isLooking = false
  let lookedAt = Number.NEGATIVE_INFINITY
  const look = async () => {
    const silent = await silentRegions(db, call.id)
    for (const { id, name } of silent)
      if (!told.includes(id)) await call.log([because('log-waits-for-region', { region: name })], 'warning')
    told = silent.map(({ id }) => id)
    await announce(db, { type: 'bulk', id: call.id })
    await mapConcurrently(silent, mostAtOnce, ({ id }) => ask(call, id))
  }
  return () => {
    if (isLooking || performance.now() - lookedAt < everyMilliseconds) return
    isLooking = true
    // A failure, such as of the database, is the loop's to see.
    void look()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false
        lookedAt = performance.now()
      })
  }
}

/** The call notes whether the region answers. */
async function ask({ services, signal }: BulkCall, regionId: number): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(answerMilliseconds)])
  await services
    .connectRegion(regionId, limit)
    .then((region) => region.status())
    .catch(() => undefined)
}
