/** Composes the e-mail that forgotRoomName has requested, when it is sent: the rooms are looked up only then. */
import { type Db, queryRows } from '#platform/database.ts'
import type { MailText } from '#platform/mail.ts'
import { forgottenNamesMail, type NamedRoom } from './forgotten-names-mail.ts'

const roomsListedAtMost = 200

/** @returns null when the address has no rooms */
export async function composeForgottenNames(db: Db, email: string): Promise<MailText | null> {
  const rooms = await queryRows<NamedRoom>(
    db,
    `select r.name, r.company_name, g.url || '/' || r.name as url
     from rooms r join regions g on g.id = r.region_id
     where (r.search like $2 and lower(r.customer_email) = $1) or lower(r.additional_email) = $1 order by r.name`,
    [email, `%${email.replace(/[\\%_]/g, '\\$&')}%`],
  )
  if (rooms.length === 0) return null
  return forgottenNamesMail(rooms.slice(0, roomsListedAtMost), Math.max(0, rooms.length - roomsListedAtMost))
}
