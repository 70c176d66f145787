/**
 * Compares rooms that were moved within the last day once more with what the move found in both regions. That is
 * possible only where nobody can have changed the room since: it was suspended when it was moved, and no operation but
 * backups has begun for it. The others are counted.
 */
import { because } from '@roomkeeper/contract'
import { queryRows } from '#platform/database.ts'
import type { DoctorParts } from '../doctor-parts.ts'
import type { NewFinding } from '../finding.ts'
import { recordFinding, retainFindingsOf } from '../record-findings.ts'
import { reasonOf } from '../walk/region-walk.ts'
import type { AskedRegion } from './check-regions.ts'

/** @param rooms how many rooms the run has looked at */
export async function checkMoved(
  parts: DoctorParts,
  runId: string,
  regions: readonly AskedRegion[],
  rooms: number,
): Promise<void> {
  const moved = await movedRooms(parts)
  let compared = 0
  for (const each of moved) {
    parts.signal.throwIfAborted()
    const region = regions.find(({ id, lost }) => id === each.regionId && lost === null)
    if (each.isChanged || region === undefined) {
      await retainFindingsOf(parts.db, runId, each.room)
      continue
    }
    compared += 1
    const found = await compare(parts, runId, each, region)
    if (found !== null) await recordFinding(parts.db, runId, found)
  }
  if (moved.length > 0) await parts.report([because('log-moved-compared', { compared, rooms: moved.length })], rooms)
}

interface MovedRoom {
  move: string
  roomId: string
  room: string
  regionId: number
  digest: string
  at: string
  /** Somebody may have changed it since, so its content says nothing about the move. */
  isChanged: boolean
}

/** Also earlier ones that were found to differ: what is lost does not come back after a day. */
function movedRooms({ db }: DoctorParts): Promise<MovedRoom[]> {
  return queryRows<MovedRoom>(
    db,
    `select m.id as move, r.id as room_id, r.name as room, r.region_id, s.output ->> 'digest' as digest, m.ended_at as at,
            r.state <> 'SUSPENDED' or m.input ->> 'before' <> 'SUSPENDED' or exists (
              select from operations o where o.room_id = r.id and o.created_at > m.created_at
                 and o.kind not like 'room.backup%' and o.kind <> 'backup.verify') as is_changed
       from operations m join rooms r on r.id = m.room_id
       join operation_steps s on s.operation_id = m.id and s.step_id = 'compare-copies' and s.state = 'done'
      where m.kind = 'room.migrate' and m.state = 'done' and (m.input ->> 'targetRegionId')::int = r.region_id
        and s.output ->> 'digest' is not null
        and (m.ended_at > now() - interval '1 day' or exists (
          select from doctor_findings f where f.kind = 'moved-differs' and f.subject = m.id::text and f.closed_at is null))
      order by r.name`,
  )
}

async function compare(
  { db, signal }: DoctorParts,
  runId: string,
  { move, roomId, room, digest: expected, at }: MovedRoom,
  region: AskedRegion,
): Promise<NewFinding | null> {
  const job = { type: 'digestRoom', room, roomId } as const
  try {
    const { digest } = await region.client.runJob(`doctor-${runId}-${move}`, job, undefined, { signal })
    if (digest === expected) return null
  } catch (error) {
    signal.throwIfAborted()
    // That the room is missing or damaged there is another finding.
    reasonOf(error)
    await retainFindingsOf(db, runId, room)
    return null
  }
  const facts = { room, region: region.name, at }
  return {
    kind: 'moved-differs',
    section: 'rooms',
    room: { id: roomId, name: room },
    regionId: region.id,
    subject: move,
    facts,
  }
}
