/** For operations that do not change the room's state: when one ends or is retried, the consoles are only notified. */
import { recordChange } from '#changes/index.ts'
import type { OperationRecord } from '#operations/index.ts'
import type { Tx } from '#platform/database.ts'

async function notifyConsoles(tx: Tx, { roomName }: OperationRecord<unknown>): Promise<void> {
  await recordChange(tx, { kind: 'room.work-ended', room: { name: roomName } })
}

export const unchangedRoom = {
  done: notifyConsoles,
  failed: notifyConsoles,
  cancelled: notifyConsoles,
  retrying: notifyConsoles,
}
