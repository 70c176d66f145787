/** The e-mail that reminds owner or sales contact of the last day of a room. */
import type { MailText } from '#platform/mail.ts'
import type { StoredRoom } from '../stored-room.ts'

type Reminded = Pick<
  StoredRoom,
  | 'name'
  | 'companyName'
  | 'customerFirstName'
  | 'customerLastName'
  | 'customerEmail'
  | 'salesmanEmail'
  | 'expirationDate'
>

export function expiryMail(room: Reminded, who: 'owner' | 'sales'): { to: string; text: MailText } {
  const { name, companyName: company, expirationDate } = room
  const day = (expirationDate ?? '').split('-').reverse().join('.')
  const owner = `${room.customerFirstName} ${room.customerLastName}`
  const greeting =
    who === 'owner' ? { en: `Hello ${owner},`, de: `Guten Tag ${owner},` } : { en: 'Hello,', de: 'Guten Tag,' }
  const advice =
    who === 'owner'
      ? {
          en: 'Please ask your contact if it is to be extended.',
          de: 'Bitte wenden Sie sich an Ihren Ansprechpartner, wenn er verlängert werden soll.',
        }
      : {
          en: `Its owner is ${owner} (${room.customerEmail}).`,
          de: `Sein Eigentümer ist ${owner} (${room.customerEmail}).`,
        }
  return {
    to: who === 'owner' ? room.customerEmail : room.salesmanEmail,
    text: {
      en: {
        subject: `The project room ${name} is valid until ${day}`,
        body: `${greeting.en}\n\nthe project room ${name} of ${company} is valid until ${day}. ${advice.en}\n`,
      },
      de: {
        subject: `Der Projektraum ${name} gilt bis ${day}`,
        body: `${greeting.de}\n\nder Projektraum ${name} von ${company} gilt bis ${day}. ${advice.de}\n`,
      },
    },
  }
}
