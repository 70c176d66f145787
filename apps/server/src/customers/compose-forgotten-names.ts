/** Composes the e-mail that forgotRoomName has requested, when it is sent: the rooms are looked up only then. */
import { type Db, queryRows } from '#platform/database.ts'
import type { MailText } from '#platform/mail.ts'

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

interface NamedRoom {
  name: string
  companyName: string
  /** The address of the room on its region. */
  url: string
}

/** @param more the number of rooms that are not listed */
function forgottenNamesMail(rooms: readonly NamedRoom[], more: number): MailText {
  const list = rooms.map(({ name, companyName, url }) => `${name} (${companyName})\n  ${url}`).join('\n')
  return {
    en: {
      subject: 'Your project rooms',
      body: `Hello,\n\nsomebody, probably you, asked for the names of your project rooms:\n\n${list}\n${
        more === 0 ? '' : `\n… and ${more} more.\n`
      }\nIf you did not ask, you need do nothing.\n`,
    },
    de: {
      subject: 'Ihre Projekträume',
      body: `Guten Tag,\n\njemand, vermutlich Sie, hat nach den Namen Ihrer Projekträume gefragt:\n\n${list}\n${
        more === 0 ? '' : `\n… und ${more} ${more === 1 ? 'weiterer' : 'weitere'}.\n`
      }\nWenn Sie nicht gefragt haben, müssen Sie nichts tun.\n`,
    },
  }
}
