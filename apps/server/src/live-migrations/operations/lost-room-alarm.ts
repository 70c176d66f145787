/**
 * The alarm: the region where the console has a room answers that it does not have it, or not what was moved there. The
 * room is in the state ERROR until an operation has found it there again.
 */
import { queryRows, type Tx } from '#platform/database.ts'
import { changeState } from '#rooms/index.ts'
import { lost } from './check-home.ts'

/** For operations that run beside the room: their other failures do not concern it. */
export async function raiseAlarm(
  tx: Tx,
  { roomId, reason, sort }: { roomId: string; reason: string; sort: string | null },
): Promise<void> {
  if (sort !== lost) return
  await changeState(tx, roomId, { from: ['DEFAULT', 'SUSPENDED'], to: 'ERROR', error: reason, errorCode: lost })
}

/** The room was seen where it belongs, in this state. */
export async function endAlarm(tx: Tx, { roomId, state }: { roomId: string; state: string | null }): Promise<void> {
  const alarmed = await queryRows(tx, `select from rooms where id = $1 and state = 'ERROR' and error_code = $2`, [
    roomId,
    lost,
  ])
  if (alarmed.length === 0) return
  await changeState(tx, roomId, { from: ['ERROR'], to: state === 'suspended' ? 'SUSPENDED' : 'DEFAULT' })
}
