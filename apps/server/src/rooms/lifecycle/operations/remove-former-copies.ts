/**
 * Removes what moves of a deleted room have left of it in other regions, because their clean-up was cancelled or has
 * failed. A copy in which users may have worked since, or which may hold what the room itself has lost, stays. That does
 * not keep the room from being deleted; the log says what stays, and where.
 */
import { because, type CodedReason } from '@roomkeeper/contract'
import type { StepCall } from '#operations/index.ts'
import { reasonsOf } from '#operations/index.ts'
import { type Db, queryRows } from '#platform/database.ts'
import { Refusal } from '#platform/refuse.ts'
import { isRegionError, runRegionJob, shortLimits } from '#regions/index.ts'
import type { RoomOfSteps } from '../../stored-room.ts'

interface FormerCopy {
  regionId: number
  regionName: string
  /** Of the lock that may still be on it. */
  holder: string | null
  /** Whether its clean-up has found that the room was lost. */
  hadAlarm: boolean
}

/** @param isContentKnown whether the room itself was there or is in a last backup, so that its copies are not needed */
export async function removeFormerCopies(
  call: StepCall<unknown>,
  room: RoomOfSteps,
  isContentKnown: boolean,
): Promise<void> {
  for (const copy of await formerCopies(call.services.db, room)) {
    const { regionName: region } = copy
    const stays = (...why: CodedReason[]) => call.log([because('log-former-copy-stays', { region }), ...why], 'warning')
    try {
      const outcome = await remove(call, room, copy, isContentKnown)
      if (outcome === 'removed') await call.log([because('log-former-copy-removed', { region })])
      else if (outcome !== 'not there') await stays(outcome)
    } catch (error) {
      call.signal.throwIfAborted()
      if (!(isRegionError(error) || error instanceof Refusal)) throw error
      await stays(...reasonsOf(error))
    }
  }
}

async function remove(
  call: StepCall<unknown>,
  { id: roomId, name: room }: RoomOfSteps,
  { regionId, holder, hadAlarm }: FormerCopy,
  isContentKnown: boolean,
): Promise<CodedReason | 'removed' | 'not there'> {
  const region = await call.services.connectRegion(regionId, call.signal)
  const found = await region.room(room)
  if (found !== null && found.roomId !== roomId) return 'not there'
  if (found !== null && (hadAlarm || !isContentKnown)) return because('former-copy-needed')
  if (found?.state === 'active') return because('former-copy-open')
  // The region no longer lists a room whose deletion was interrupted, but the job completes that deletion.
  const job = { type: 'deleteRoom', room, roomId, ...(holder === null ? {} : { holder }) } as const
  const { existed } = await runRegionJob(call, region, job, `delete-former-${regionId}`, shortLimits)
  return existed ? 'removed' : 'not there'
}

/** The newest clean-up in each region says whose lock there may be. Running clean-ups are left out. */
function formerCopies(db: Db, { id, regionId }: RoomOfSteps): Promise<FormerCopy[]> {
  return queryRows<FormerCopy>(
    db,
    `select distinct on (o.region_id) r.id as region_id, r.name as region_name, o.input ->> 'holder' as holder,
           coalesce(o.failure ->> 'failureCode' = 'lost', false) as had_alarm
       from operations o join regions r on r.id = o.region_id
      where o.room_id is null and o.input ? 'roomId' and o.input ->> 'roomId' = $1
        and o.kind in ('migration.leave-source', 'migration.leave-target')
        and o.state in ('cancelled', 'failed') and o.region_id <> $2
      order by o.region_id, o.n desc`,
    [id, regionId],
  )
}
