/** Releases what is no longer needed: a lock, a reservation, or a room whose operation is gone. */
import { because } from '@roomkeeper/contract'
import { StepFailed } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'
import { changeState } from '#rooms/index.ts'
import type { StoredFinding } from '../stored-finding.ts'
import { isHolderActive } from '../walk/settle-suspect.ts'
import { type Changes, type RepairKind, regionOf } from './repair-kind.ts'

export const release: RepairKind = {
  async preview(_, finding) {
    return changesOf(finding)
  },
  async run(call, parts, finding) {
    const { kind, roomId, roomName, regionId, subject, facts } = finding
    if (kind === 'lock-orphaned') {
      const holder = String(facts.holder)
      if (await isHolderActive(parts.db, holder)) throw new StepFailed(because('lock-in-use'))
      const { client } = await regionOf(parts, regionId)
      await client.unlockRoom(roomName ?? '', { roomId: roomId ?? '', holder }, call.mark)
      return call.log([because('log-unlocked')])
    }
    if (kind === 'reservation-left-over') {
      await call.transaction((tx) =>
        queryRows(
          tx,
          `delete from capacity_reservations where room_id = $1
              and not exists (select from operations o where o.id = operation_id and o.ended_at is null)`,
          [subject],
        ),
      )
      return call.log([because('log-reservation-released')])
    }
    const error = [because('something-interrupted')]
    const change = { from: ['IN_PROGRESS', 'MARKED_FOR_DELETION'], to: 'ERROR', error } as const
    await call.transaction((tx) => changeState(tx, roomId, change, { kind: 'room.corrected', operation: call }))
    await call.log([because('log-in-error-now')])
  },
}

function changesOf({ kind, facts }: StoredFinding): Changes {
  if (kind === 'lock-orphaned') return [{ field: 'lock', from: facts.holder ?? null, to: null }]
  if (kind === 'reservation-left-over') return [{ field: 'reservation', from: facts.region ?? null, to: null }]
  return [{ field: 'state', from: facts.state ?? null, to: 'ERROR' }]
}
