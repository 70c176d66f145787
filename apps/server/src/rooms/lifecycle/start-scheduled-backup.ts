/** Starts the backup of a running room that a policy asks for, behind what operators wait for. */
import { queryRows, type Tx } from '#platform/database.ts'
import { lockRoom } from '../lock-room.ts'
import { startChange } from '../start-for-room.ts'
import { backupRunningRoom } from './operations/backup-room.ts'
import { backupRunningRoomToObjectStore } from './operations/backup-room-to-object-store.ts'

interface ScheduledBackup {
  roomId: string
  kind: 'classic' | 'd2o'
  now: Date
}

/** @returns the operation's id; null: the room is gone, not running, or busy now */
export async function startScheduledBackup(tx: Tx, { roomId, kind, now }: ScheduledBackup): Promise<string | null> {
  const [room] = await queryRows<{ name: string }>(tx, 'select name from rooms where id = $1 for update', [roomId])
  if (room === undefined) return null
  const locked = await lockRoom(tx, room.name)
  const { projectRoomState, regionState } = locked.situation
  if (projectRoomState !== 'DEFAULT' || regionState !== 'enabled') return null
  const busy = `select from operations where room_id = $1 and state in ('waiting', 'running', 'cancelling')`
  if ((await queryRows(tx, busy, [roomId])).length > 0) return null
  const starter = { startedBy: 'system', requestId: null, background: true }
  // The operator's act is the change of the policy, which is in the audit trail. This one has its operation.
  const common = { whyNot: () => null, becomes: null, audit: null }
  if (kind === 'classic')
    return startChange(tx, locked, { ...common, kind: backupRunningRoom, input: () => ({}) }, starter)
  const key = `${room.name}/${now.toISOString().replaceAll(':', '-')}.zip`
  return startChange(tx, locked, { ...common, kind: backupRunningRoomToObjectStore, input: () => ({ key }) }, starter)
}
