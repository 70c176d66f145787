/**
 * The outbox of e-mails: they are written in the transaction of what they tell, as deliveries to the mail server, and the
 * workers send them (webhooks/). None contains a secret; a purge of the room removes them.
 */
import { randomUUID } from 'node:crypto'
import { because, type CodedReason, type DeliveryFailure, mailServerId } from '@roomkeeper/contract'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import type { MailText } from '#platform/mail.ts'

/** What the row of an e-mail holds. `text` null: it is composed when it is sent (`MailParts.compose`). */
export interface StoredMail {
  to: string
  text: MailText | null
  /** It is sent only while the room has this last day. */
  whileExpires?: { roomId: string; expirationDate: string }
}

export interface OutgoingMail extends StoredMail {
  /** To whom: `owner`, `delegate`, `sales`. One of each for an operation. */
  kind: string
  /** Of the operation that sends it: its log tells how that went. */
  operationId: string | null
  room: { id: string; name: string } | null
}

/** An operation writes none twice. What goes to one mailbox about one room goes in this order. */
export async function queueMail(tx: Db | Tx, { kind, operationId, room, ...mail }: OutgoingMail): Promise<void> {
  await queryRows(tx, insertMail, [
    mailServerId,
    `${operationId ?? randomUUID()}-${kind}`,
    `mail.${kind}`,
    operationId,
    // One mailbox that cannot be written to for days must not hold up the other contacts of its room.
    `mail ${room?.id ?? ''} ${mail.to}`,
    room?.id ?? null,
    room?.name ?? null,
    JSON.stringify(mail satisfies StoredMail),
  ])
}

const insertMail = `
  insert into webhook_deliveries (webhook_id, message_id, type, operation_id, ordering_key, room_id, room_name, body, at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, now()) on conflict (operation_id, message_id) where operation_id is not null do nothing`

/** @param said by the mail server, or about the connection to it */
export function whyMailFailed(failure: DeliveryFailure, said: string): CodedReason {
  switch (failure) {
    case 'certificate':
    case 'refused':
    case 'sign-in-refused':
    case 'not-written':
      return because(`mail-${failure}`, { said })
    case 'timed-out':
    case 'unanswered':
    case 'not-needed':
    case 'no-mailbox':
      return because(`mail-${failure}`)
    default:
      return because('mail-unreachable', { said })
  }
}
