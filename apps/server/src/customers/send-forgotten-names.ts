/**
 * Sends the e-mails that forgotRoomName has requested. A process takes a row for a while and deletes it only after the e-mail has
 * been sent. If the process dies, another one sends the e-mail, possibly a second time but with the same Message-ID.
 */
import { type Database, type Db, queryRows } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { NoMailbox, type SendMail } from '#platform/mail.ts'
import { pause } from '#platform/pause.ts'
import { within } from '#platform/within.ts'
import { forgottenNamesMail, type NamedRoom } from './forgotten-names-mail.ts'

const pollMilliseconds = 3_000
const leaseSeconds = 60
const stopMilliseconds = 5_000
/** Older requests are not retried after a failure. */
const giveUpSeconds = 3_600
const roomsListedAtMost = 200

/** @returns a function that stops sending; it waits for the current e-mail, but only for a few seconds */
export function startSendingForgottenNames(database: Database, sendMail: SendMail, log: Log): () => Promise<void> {
  const stopping = new AbortController()
  const ended = keepSending()
  async function keepSending(): Promise<void> {
    while (!stopping.signal.aborted) {
      const sent = await sendNext(database.db, sendMail, log).catch((error: unknown) => {
        log.warn({ err: error }, 'looking for forgotten room names failed')
        return false
      })
      if (!sent) await pause(pollMilliseconds, stopping.signal)
    }
  }
  return async () => {
    stopping.abort()
    await within(stopMilliseconds, ended)
  }
}

interface Wanted {
  id: string
  email: string
  isOld: boolean
}

/** @returns whether there was a request */
async function sendNext(db: Db, sendMail: SendMail, log: Log): Promise<boolean> {
  const [wanted] = await queryRows<Wanted>(
    db,
    `update forgotten_room_names set due_at = now() + make_interval(secs => $1)
     where id = (select id from forgotten_room_names where due_at <= now() order by due_at limit 1 for update skip locked)
     returning id, email, asked_at < now() - make_interval(secs => $2) as is_old`,
    [leaseSeconds, giveUpSeconds],
  )
  if (wanted === undefined) return false
  try {
    await sendNames(db, sendMail, wanted)
  } catch (error) {
    log.warn({ err: error, mail: wanted.id }, 'an e-mail with forgotten room names could not be sent')
    if (!wanted.isOld && isTransient(error)) return true
  }
  await db.deleteFrom('forgottenRoomNames').where('id', '=', wanted.id).execute()
  return true
}

async function sendNames(db: Db, sendMail: SendMail, { id, email }: Wanted): Promise<void> {
  const rooms = await roomsOf(db, email)
  if (rooms.length === 0) return
  const text = forgottenNamesMail(rooms.slice(0, roomsListedAtMost), Math.max(0, rooms.length - roomsListedAtMost))
  await sendMail({ id: `forgotten-${id}`, to: email, text })
}

function roomsOf(db: Db, email: string): Promise<NamedRoom[]> {
  return queryRows<NamedRoom>(
    db,
    `select r.name, r.company_name, g.url || '/' || r.name as url
     from rooms r join regions g on g.id = r.region_id
     where lower(r.customer_email) = $1 or lower(r.additional_email) = $1 order by r.name`,
    [email],
  )
}

/** A stored list of addresses is permanent, and so is a 5xx reply, such as for a mailbox that the mail server does not know: another try would not help. */
function isTransient(error: unknown): boolean {
  if (error instanceof NoMailbox) return false
  const code = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined
  return typeof code !== 'number' || code < 500
}
