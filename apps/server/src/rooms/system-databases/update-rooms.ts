/**
 * The step that updates all rooms. Only a few rooms of each region are in the queue at a time, so that other operations
 * get through. Busy rooms are checked again until they are free; rooms that are neither active nor suspended are
 * skipped. The operations of the rooms record the progress, so a worker that takes over continues from there.
 */
import { because } from '@roomkeeper/contract'
import { StepFailed } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'
import { pause } from '#platform/pause.ts'
import { Refusal } from '#platform/refuse.ts'
import { regionsToUpdate } from './regions-to-update.ts'
import { report } from './report-update.ts'
import type { RegionUpdate, UpdateCall } from './update-call.ts'
import { updateSystemDatabase } from './update-system-database.ts'

const firstPauseMilliseconds = 50
const longestPauseMilliseconds = 1000
/** After this many failures in a region without any success, its other rooms would most likely fail too. */
const hopelessFailures = 5

export async function updateRooms(call: UpdateCall): Promise<void> {
  const regions = await regionsToUpdate(call)
  const total = regions.reduce((sum, region) => sum + region.rooms, 0)
  let wait = firstPauseMilliseconds
  for (let endedBefore = -1; ; ) {
    let ended = 0
    for (const region of regions) ended += await advance(call, region)
    if (regions.every((region) => region.finished)) break
    if (ended !== endedBefore) await call.progress(total === 0 ? 0 : Math.min(1, ended / total))
    wait = ended === endedBefore ? Math.min(wait * 1.25, longestPauseMilliseconds) : firstPauseMilliseconds
    endedBefore = ended
    await pause(wait, call.signal)
    call.signal.throwIfAborted()
  }
  const failed = await report(call, regions)
  if (failed !== null) throw new StepFailed(failed)
}

/** Enqueues more rooms of a region. @returns how many updates have ended there */
async function advance(call: UpdateCall, region: RegionUpdate): Promise<number> {
  const { open, done, failed } = await countChildren(call, region.id)
  if (region.problem === null && done === 0 && failed >= hopelessFailures) {
    region.problem = because('log-first-failed', { failed })
    const reason = because('log-no-other-tried', { failed })
    await call.log([because('of-region', { region: region.name, reason })], 'warning')
  }
  if (region.problem !== null) region.allStarted = true
  const started = await startSome(call, region, call.services.regionConcurrency * 2 - open)
  region.finished = region.allStarted && open + started === 0
  return done + failed
}

async function countChildren(call: UpdateCall, regionId: number) {
  const [row] = await queryRows<{ open: number; done: number; failed: number }>(
    call.services.db,
    `select count(*) filter (where ended_at is null)::int as open,
            count(*) filter (where state = 'done')::int as done,
            count(*) filter (where state in ('failed', 'cancelled') and (input->>'run')::int = $3)::int as failed
       from operations where parent_id = $1 and region_id = $2`,
    [call.id, regionId, call.attempt],
  )
  return row ?? { open: 0, done: 0, failed: 0 }
}

interface Candidate {
  id: string
  name: string
  busy: boolean
  usable: boolean
}

/** @returns how many rooms were added to the queue */
async function startSome(call: UpdateCall, region: RegionUpdate, most: number): Promise<number> {
  if (region.allStarted || most <= 0) return 0
  let started = 0
  const candidates = await nextRooms(call, region, most)
  for (const room of candidates) {
    region.after = room.id
    // An IN_PROGRESS room without an operation would never become free, so it is not waited for.
    if (!room.usable && !room.busy) continue
    if (!room.busy && (await startUpdate(call, region.id, room))) started += 1
    else region.someAreBusy = true
  }
  if (candidates.length === most) return started
  region.allStarted = !region.someAreBusy
  region.someAreBusy = false
  region.after = beforeAllIds
  return started
}

const beforeAllIds = '00000000-0000-0000-0000-000000000000'

/** The next rooms by id after the last one checked, without those that this attempt has already handled. */
function nextRooms(call: UpdateCall, region: RegionUpdate, most: number): Promise<Candidate[]> {
  return queryRows<Candidate>(
    call.services.db,
    `select r.id, r.name, r.state in ('DEFAULT', 'SUSPENDED') as usable,
            exists (select from operations o where o.room_id = r.id
                      and o.state in ('waiting', 'running', 'cancelling')) as busy
       from rooms r
      where r.region_id = $1 and r.id > $2 and r.state in ('DEFAULT', 'SUSPENDED', 'IN_PROGRESS')
        and r.created_at <= (select created_at from operations where id = $3)
        and not exists (select from operations o where ${isHandled})
      order by r.id limit $5`,
    [region.id, region.after, call.id, call.attempt, most],
  )
}

/** `$3` is the id of the update, `$4` its attempt. */
const isHandled = `o.room_id = r.id and o.parent_id = $3 and (o.state = 'done' or (o.input->>'run')::int = $4)`

/** @returns false if the room has become busy */
async function startUpdate(call: UpdateCall, regionId: number, room: Candidate): Promise<boolean> {
  try {
    await call.transaction(async (tx) => {
      const [held] = await queryRows<{ name: string; regionId: number }>(
        tx,
        `select name, region_id from rooms r where id = $1 and region_id = $2 and state in ('DEFAULT', 'SUSPENDED')
            and not exists (select from operations o where ${isHandled}) for update of r`,
        [room.id, regionId, call.id, call.attempt],
      )
      if (held === undefined) return
      const parts = { input: { run: call.attempt }, room, regionId }
      await call.start(tx, updateSystemDatabase, parts)
    })
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'room-busy') return false
    throw error
  }
}
