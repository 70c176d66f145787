/** Writes the e-mails of an operation about a room into the outbox. Whether they are delivered does not change how the operation ends. */
import { because } from '@roomkeeper/contract'
import { type OutgoingMail, recordChange } from '#changes/index.ts'
import { addLogLine } from '#operations/index.ts'
import type { RoomCall } from '../../steps/room-call.ts'

/** The end of its step. */
export async function sendMails<Input>(
  call: RoomCall<Input>,
  room: { id: string; name: string },
  mails: readonly Pick<OutgoingMail, 'kind' | 'to' | 'text' | 'whileExpires'>[],
): Promise<void> {
  const { id: operationId } = call
  await call.finish(async (tx) => {
    for (const mail of mails) {
      const written = { ...mail, operationId, room: { id: room.id, name: room.name } }
      await recordChange(tx, { kind: 'mail.of-operation', mail: written })
      // Here, because a worker may send it at once: its line must not come first.
      await addLogLine(tx, operationId, { level: 'info', reason: because('log-mail-queued', { to: mail.to }) })
    }
  })
}
