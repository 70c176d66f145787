/**
 * The alarm: the region where the console has a room answers that it does not have it, or not what was moved there. The
 * room is an error until an operation has seen it there again.
 */
import { queryRows, type Tx } from '#platform/database.ts'
import { changeState } from '#rooms/index.ts'
import { lost, lostTexts } from './see-elsewhere.ts'

/** For operations that run beside the room; whatever else goes wrong in them does not concern it. */
export async function raiseAlarm(
  tx: Tx,
  { roomId, reason, sort }: { roomId: string; reason: string; sort: string | null },
): Promise<void> {
  if (sort !== lost) return
  await changeState(tx, roomId, { from: ['DEFAULT', 'SUSPENDED'], to: 'ERROR', error: reason })
}

/** The step of this operation has seen the room where it belongs, and kept in which state. */
export async function endAlarm(tx: Tx, seen: { operationId: string; roomId: string }): Promise<void> {
  const [room] = await queryRows<{ state: string | null }>(
    tx,
    `select step.output->>'state' as state from rooms room join operation_steps step on step.operation_id = $2
      where room.id = $1 and room.state = 'ERROR' and room.error_message like any($3::text[]) and step.output ? 'state'`,
    [seen.roomId, seen.operationId, lostTexts],
  )
  if (room === undefined) return
  await changeState(tx, seen.roomId, { from: ['ERROR'], to: room.state === 'suspended' ? 'SUSPENDED' : 'DEFAULT' })
}
