/**
 * Stores in each room's region what only the console knows of the room (console-record.ts). Triggers mark the rooms that
 * are due: new rooms, rooms in a new region, and rooms with a changed field.
 */
import { RegionRefusal } from '@roomkeeper/region-protocol'
import { columnOf } from '#platform/column-names.ts'
import { type Database, queryRows } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import type { Scheduler } from '#platform/recurring.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { ConnectRegion } from '#regions/index.ts'
import { type ConsoleColumns, consoleColumns, sealRecord } from './console-record.ts'

const roomsAtOnce = 100
/** Shorter than the claim of a room, after which another process would send its record too. */
const roundMilliseconds = 60_000
const claim = '5 minutes'
/** How long a region is skipped that does not answer or lacks the call. */
const pauseMilliseconds = { unreachable: 60_000, lacking: 10 * 60_000 }

interface SendingParts {
  database: Database
  connectRegion: ConnectRegion
  secrets: SecretBox
  log: Log
}

export function startSendingRecords(scheduler: Scheduler, parts: SendingParts, everySeconds: number): void {
  const pausedUntil = new Map<number, number>()
  const job = scheduler.start({
    name: 'sending of room records',
    everySeconds,
    scope: 'process',
    async run() {
      if (await sendSome(parts, pausedUntil)) job.trigger()
    },
  })
}

interface DueRoom extends ConsoleColumns {
  id: string
  name: string
  regionId: number
  changes: number
}

/** @returns whether there may be more */
async function sendSome(parts: SendingParts, pausedUntil: Map<number, number>): Promise<boolean> {
  const { db } = parts.database
  const begunAt = performance.now()
  const isPaused = (regionId: number) => (pausedUntil.get(regionId) ?? 0) > performance.now()
  const due = await queryRows<DueRoom>(db, claimDue, [[...pausedUntil.keys()].filter(isPaused), roomsAtOnce])
  for (const room of due) {
    const isLate = performance.now() - begunAt > roundMilliseconds
    const outcome = isLate || isPaused(room.regionId) ? 'not-now' : await send(parts, room)
    if (outcome === 'unreachable' || outcome === 'lacking')
      pausedUntil.set(room.regionId, performance.now() + pauseMilliseconds[outcome])
    if (outcome === 'kept') await queryRows(db, keptOne, [room.id, room.changes])
    else await queryRows(db, tryAgain, [room.id, room.changes, againAfter[outcome]])
  }
  return due.length === roomsAtOnce
}

/** `refused`: because of this room, such as because the region has lost it. */
type Outcome = 'kept' | 'refused' | keyof typeof pauseMilliseconds

/** Longer than the pause of a region that does not answer, so that the other rooms of the region come first. */
const againAfter = { refused: '1 hour', unreachable: '2 minutes', lacking: '2 minutes', 'not-now': '0' }

async function send({ connectRegion, secrets, log }: SendingParts, room: DueRoom): Promise<Outcome> {
  let record: string | null = null
  try {
    record = sealRecord(secrets, room)
    const region = await connectRegion(room.regionId)
    const kept = await region.keepConsoleRecord(room.name, { roomId: room.id, record })
    return kept ? 'kept' : 'lacking'
  } catch (error) {
    log.info({ err: error, room: room.name }, 'a region does not keep the record of a project room yet')
    const isRefused = record === null || (error instanceof RegionRefusal && !error.isTransient)
    return isRefused ? 'refused' : 'unreachable'
  }
}

/** Rooms in progress may not be in their region yet. Their regions keep what they have until the end. */
const claimDue = `
  with claimed as (
    select due.room_id from room_records_due due join rooms on rooms.id = due.room_id
     where due.try_at <= now() and rooms.state not in ('IN_PROGRESS', 'MARKED_FOR_DELETION')
       and rooms.region_id <> all($1::int[])
     order by due.try_at limit $2 for update of due skip locked)
  update room_records_due due set try_at = now() + interval '${claim}'
    from claimed join rooms on rooms.id = claimed.room_id
   where due.room_id = claimed.room_id
  returning due.changes, ${['id', 'name', 'regionId', ...consoleColumns].map((each) => `rooms.${columnOf(each)}`).join()}`

const keptOne = `
  with gone as (delete from room_records_due where room_id = $1 and changes = $2 returning 1)
  update room_records_due set try_at = now() where room_id = $1 and not exists (select from gone)`
/** At once if the room has been changed or moved while its record was sent. */
const tryAgain = `
  update room_records_due set try_at = now() + case when changes = $2 then $3::interval else '0' end where room_id = $1`
