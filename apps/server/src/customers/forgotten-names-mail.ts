/** The e-mail that tells a customer the names of their project rooms. */
import type { MailText } from '#platform/mail.ts'

export interface NamedRoom {
  name: string
  companyName: string
  /** The address of the room on its region. */
  url: string
}

/** @param more the number of rooms that are not listed */
export function forgottenNamesMail(rooms: readonly NamedRoom[], more: number): MailText {
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
