/** For operations that do not change the room's state: when one ends or is retried, the consoles are only notified. */
import type { OperationRecord } from '#operations/index.ts'
import type { Tx } from '#platform/database.ts'
import { announce } from '#platform/events.ts'

async function notifyConsoles(tx: Tx, { roomName }: OperationRecord<unknown>): Promise<void> {
  await announce(tx, { type: 'room', room: roomName, gone: false })
}

export const unchangedRoom = {
  done: notifyConsoles,
  failed: notifyConsoles,
  cancelled: notifyConsoles,
  retrying: notifyConsoles,
}
