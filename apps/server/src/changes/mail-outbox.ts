/**
 * The outbox of e-mails. An e-mail is inserted in the transaction of the change, as a delivery to the mail server, and
 * workers send it (webhooks/). It contains no secret. The purge of a room removes the room's e-mails.
 */
import { randomUUID } from 'node:crypto'
import { because, type CodedReason, type DeliveryFailure, mailServerId } from '@roomkeeper/contract'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import type { MailText } from '#platform/mail.ts'

/** What the row of an e-mail holds. `text` null: it is composed when it is sent (`MailParts.compose`). */
export interface StoredMail {
  to: string
  text: MailText | null
  /** The e-mail is sent only while the room still has this expiration date. */
  whileExpires?: { roomId: string; expirationDate: string }
}

export interface OutgoingMail extends StoredMail {
  /** Such as `owner`, `delegate` or `sales`. An operation queues at most one e-mail of each kind. */
  kind: string
  /** The operation whose log says whether the e-mail was sent; null: there is none. */
  operationId: string | null
  room: { id: string; name: string } | null
}

/**
 * Skips an e-mail that its operation has already queued. One mailbox gets the e-mails about one room in queue order.
 */
export async function queueMail(tx: Db | Tx, { kind, operationId, room, ...mail }: OutgoingMail): Promise<void> {
  await queryRows(tx, insertMail, [
    mailServerId,
    `${operationId ?? randomUUID()}-${kind}`,
    `mail.${kind}`,
    operationId,
    // A key for each mailbox: one that takes no mail for days must not delay the other contacts of the room.
    `mail ${room?.id ?? ''} ${mail.to}`,
    room?.id ?? null,
    room?.name ?? null,
    JSON.stringify(mail satisfies StoredMail),
  ])
}

const insertMail = `
  insert into webhook_deliveries (webhook_id, message_id, type, operation_id, ordering_key, room_id, room_name, body, at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, steady_now()) on conflict (operation_id, message_id) where operation_id is not null do nothing`

/** @param said the answer of the mail server, or the error of the connection to it */
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
