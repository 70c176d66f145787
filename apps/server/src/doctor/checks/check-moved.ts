/**
 * Compares rooms that were moved within the last day once more with what the move found in both regions. This works only
 * for rooms that cannot have changed since: they were suspended when they were moved, and no operation but a backup has
 * begun for them. The others are counted. A finding stays until the room is changed, also after the day.
 */
import { because } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'
import type { DoctorParts } from '../doctor-parts.ts'
import { recordFinding } from '../record-findings.ts'
import { reasonOf } from '../walk/region-walk.ts'
import type { AskedRegion } from './check-regions.ts'

/** A region reads each whole room. */
const comparedPerRun = 200

/** @param rooms how many rooms the run has looked at */
export async function checkMoved(
  parts: DoctorParts,
  runId: string,
  regions: readonly AskedRegion[],
  rooms: number,
): Promise<void> {
  const { db, signal } = parts
  const moved = await movedRooms(db)
  const unchanged = moved.filter(({ isChanged }) => !isChanged)
  let compared = 0
  for (const each of unchanged.slice(0, comparedPerRun)) {
    signal.throwIfAborted()
    const region = regions.find(({ id, lost }) => id === each.regionId && lost === null)
    const holds = region === undefined ? null : await digestIn(region, runId, each, signal)
    if (holds !== null) compared += 1
    if (region === undefined || holds === null) await retain(db, runId, each.move)
    // The room may have been resumed while its region read it.
    else if (holds !== each.digest && (await movedRooms(db, each.move)).some(({ isChanged }) => !isChanged))
      await recordFinding(db, runId, {
        kind: 'moved-differs',
        section: 'rooms',
        room: { id: each.roomId, name: each.room },
        regionId: region.id,
        subject: each.move,
        facts: { room: each.room, region: region.name, at: each.at },
      })
  }
  for (const { move } of unchanged.slice(comparedPerRun)) await retain(db, runId, move)
  if (moved.length > 0) await parts.report([because('log-moved-compared', { compared, rooms: moved.length })], rooms)
}

interface MovedRoom {
  move: string
  roomId: string
  room: string
  regionId: number
  digest: string
  at: string
  /** It may have changed since, so its content says nothing about the move. */
  isChanged: boolean
}

/** Those with a finding first. @param move only this one */
function movedRooms(db: Db, move: string | null = null): Promise<MovedRoom[]> {
  return queryRows<MovedRoom>(
    db,
    `select m.id as move, r.id as room_id, r.name as room, r.region_id, s.output ->> 'digest' as digest, m.ended_at as at,
            r.state <> 'SUSPENDED' or m.input ->> 'before' <> 'SUSPENDED' or exists (
              select from operations o where o.room_id = r.id and o.n > m.n
                 and o.kind not like 'room.backup%' and o.kind <> 'backup.verify') as is_changed
       from operations m join rooms r on r.id = m.room_id
       join operation_steps s on s.operation_id = m.id and s.step_id = 'compare-copies' and s.state = 'done'
       left join doctor_findings f on f.kind = 'moved-differs' and f.subject = m.id::text and f.closed_at is null
      where m.kind = 'room.migrate' and m.state = 'done' and (m.input ->> 'targetRegionId')::int = r.region_id
        and s.output ->> 'digest' is not null and ($1::uuid is null or m.id = $1)
        and (m.ended_at > now() - interval '1 day' or f.id is not null)
      order by f.id is null, m.ended_at, r.name`,
    [move],
  )
}

/** @returns null: the region does not answer, or does not have the room, which is another finding */
async function digestIn(
  region: AskedRegion,
  runId: string,
  { move, roomId, room }: MovedRoom,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const job = { type: 'digestRoom', room, roomId } as const
    const { digest } = await region.client.runJob(`doctor-${runId}-${move}`, job, undefined, { signal })
    return digest
  } catch (error) {
    signal.throwIfAborted()
    reasonOf(error)
    return null
  }
}

/** A finding about a room that could not be compared now. */
async function retain(db: Db, runId: string, move: string): Promise<void> {
  await queryRows(
    db,
    `update doctor_findings set run_id = $1 where kind = 'moved-differs' and subject = $2 and closed_at is null`,
    [runId, move],
  )
}
