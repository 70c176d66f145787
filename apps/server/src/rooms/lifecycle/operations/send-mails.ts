/** Writes the e-mails of an operation about a room into the outbox. How they fare does not change how the operation ends. */
import { because } from '@roomkeeper/contract'
import { type OutgoingMail, queueMails } from '#platform/mail-outbox.ts'
import type { RoomCall } from '../../steps/room-call.ts'

export async function sendMails<Input>(
  call: RoomCall<Input>,
  room: { id: string; name: string },
  mails: readonly Pick<OutgoingMail, 'kind' | 'to' | 'text'>[],
): Promise<void> {
  const { id: operationId } = call
  await call.transaction((tx) =>
    queueMails(
      tx,
      mails.map((mail) => ({ ...mail, operationId, room: { id: room.id, name: room.name } })),
    ),
  )
  for (const { to } of mails) await call.log([because('log-mail-queued', { to })])
}
