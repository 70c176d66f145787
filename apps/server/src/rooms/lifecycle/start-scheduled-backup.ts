/** Starts the backup of a running room that a policy asks for, behind what operators wait for. */
import { queryRows, type Tx } from '#platform/database.ts'
import { lockRoom } from '../lock-room.ts'
import { startChange } from '../start-for-room.ts'
import { backupRunningRoom } from './operations/backup-room.ts'
import { backupRunningRoomToObjectStore } from './operations/backup-room-to-object-store.ts'

interface ScheduledBackup {
  roomId: string
  kind: 'classic' | 'd2o'
  /** The name of the policy. */
  policy: string
  now: Date
}

/** @returns the operation's id; null: the room is gone, not running, or busy now */
export async function startScheduledBackup(
  tx: Tx,
  { roomId, kind, policy, now }: ScheduledBackup,
): Promise<string | null> {
  const [room] = await queryRows<{ name: string }>(tx, 'select name from rooms where id = $1 for update', [roomId])
  if (room === undefined) return null
  const locked = await lockRoom(tx, room.name)
  const { projectRoomState, regionState } = locked.situation
  if (projectRoomState !== 'DEFAULT' || regionState !== 'enabled') return null
  const busy = `select from operations where room_id = $1 and state in ('waiting', 'running', 'cancelling')`
  if ((await queryRows(tx, busy, [roomId])).length > 0) return null
  const starter = { startedBy: 'system', requestId: null, background: true }
  const audit = { action: 'room.backup-scheduled', detail: policy }
  const common = { whyNot: () => null, becomes: null, audit }
  if (kind === 'classic')
    return startChange(tx, locked, { ...common, kind: backupRunningRoom, input: () => ({}) }, starter)
  const key = `${room.name}/${now.toISOString().replaceAll(':', '-')}.zip`
  return startChange(tx, locked, { ...common, kind: backupRunningRoomToObjectStore, input: () => ({ key }) }, starter)
}
