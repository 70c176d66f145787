/**
 * The alarm for a lost room: the region where the console has the room answers that it does not have the room, or not
 * what was moved there. The room stays in the state ERROR until an operation has found it there again.
 */
import type { Reasons } from '@roomkeeper/contract'
import type { CausingOperation } from '#changes/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { changeState } from '#rooms/index.ts'
import { lost } from './check-home.ts'

/** For operations that do not make the room busy: their other failures do not concern it. */
export async function raiseAlarm(
  tx: Tx,
  { roomId, reasons: error, failureCode }: { roomId: string; reasons: Reasons; failureCode: string | null },
  by: CausingOperation,
): Promise<void> {
  if (failureCode !== lost) return
  const change = { from: ['DEFAULT', 'SUSPENDED'], to: 'ERROR', error, errorCode: lost } as const
  await changeState(tx, roomId, change, { kind: 'room.corrected', operation: by })
}

/** For a room that was found in its region. @param state the room's state there */
export async function endAlarm(
  tx: Tx,
  { roomId, state }: { roomId: string; state: string | null },
  by: CausingOperation,
): Promise<void> {
  const alarmed = await queryRows(tx, `select from rooms where id = $1 and state = 'ERROR' and error_code = $2`, [
    roomId,
    lost,
  ])
  if (alarmed.length === 0) return
  const to = state === 'suspended' ? 'SUSPENDED' : 'DEFAULT'
  await changeState(tx, roomId, { from: ['ERROR'], to }, { kind: 'room.corrected', operation: by })
}
