/** Marks something as gone: a room enters the state ERROR, and a backup is no longer offered. */
import { because, type CodedReason, type FindingKind } from '@roomkeeper/contract'
import { lockUnread } from '#backups/index.ts'
import { recordChange } from '#changes/index.ts'
import { queryRows } from '#platform/database.ts'
import { changeState } from '#rooms/index.ts'
import { type Facts, textOfFinding } from '../finding.ts'
import { impossible, type RepairKind, roomOf } from './repair-kind.ts'

export const markMissing: RepairKind = {
  async preview(parts, finding) {
    if (finding.section === 'backups') return [{ field: 'backup', from: finding.facts.location ?? null, to: null }]
    return [{ field: 'state', from: (await roomOf(parts, finding)).state, to: 'ERROR' }]
  },
  async run(call, _, { kind, section, subject, roomId, roomName, facts }) {
    await call.transaction(async (tx) => {
      if (section !== 'backups') {
        const error = [reasonOf(kind, facts)]
        const change = { from: ['DEFAULT', 'SUSPENDED'], to: 'ERROR', error } as const
        await changeState(tx, roomId, change, { kind: 'room.corrected', operation: call })
        return
      }
      if (subject === null) throw impossible('backup-gone')
      await lockUnread(tx, subject)
      for (const table of ['room_backups', 'database_backups']) {
        const gone = await queryRows(tx, `delete from ${table} where id = $1 returning 1`, [subject])
        if (gone.length === 0 || roomId === null) continue
        const { startedBy: actor, requestId, id: operationId } = call
        const room = { id: roomId, name: roomName ?? '' }
        const detail = because('audit-file-gone', { location: String(facts.location) })
        await recordChange(tx, { actor, kind: 'backup.delete', room, detail, operationId, requestId })
      }
    })
    await call.log([because('log-noted')])
  },
}

/** The finding as the reason why the room is in error. */
function reasonOf(kind: FindingKind, facts: Facts): CodedReason {
  const { region = '', room = '', other = '' } = facts
  switch (kind) {
    case 'room-missing':
      return because('found-room-missing', { region, room })
    case 'room-elsewhere':
      return because('found-room-elsewhere', { region, room, other })
    case 'room-id-differs':
      return because('found-other-room', { region, room })
    default:
      return because('told', { told: textOfFinding(kind, facts) })
  }
}
