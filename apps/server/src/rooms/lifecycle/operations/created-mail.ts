/** The e-mail that tells owner and delegate that their room has been created. */
import type { MailText } from '#platform/mail.ts'
import type { RoomOfSteps } from '../../stored-room.ts'
import type { RoomAddresses } from './addresses-of-room.ts'

export interface RoomMail {
  kind: 'owner' | 'delegate'
  to: string
  text: MailText
}

/** How a mail begins: the names that the console has are the owner's. */
export interface Greeting {
  en: string
  de: string
}

export function createdMail(room: RoomOfSteps, addresses: RoomAddresses): RoomMail[] {
  return toOwnerAndDelegate(room, ({ en, de }) => ({
    en: inEnglish(room, addresses, en),
    de: inGerman(room, addresses, de),
  }))
}

export function toOwnerAndDelegate(room: RoomOfSteps, textFor: (greeting: Greeting) => MailText): RoomMail[] {
  const name = `${room.customerFirstName} ${room.customerLastName}`
  const toOwner = textFor({ en: `Hello ${name},`, de: `Guten Tag ${name},` })
  const owner = { kind: 'owner', to: room.customerEmail, text: toOwner } as const
  if (room.additionalEmail === null) return [owner]
  const toDelegate = textFor({ en: 'Hello,', de: 'Guten Tag,' })
  return [owner, { kind: 'delegate', to: room.additionalEmail, text: toDelegate }]
}

function inEnglish(room: RoomOfSteps, addresses: RoomAddresses, greeting: string) {
  const until =
    room.expirationDate === null ? 'It is valid without limit.' : `It is valid until ${dayOf(room.expirationDate)}.`
  return {
    subject: `Your project room ${room.name} is ready`,
    body: `${greeting}\n\nthe project room ${room.name} of ${room.companyName} has been created. ${until}\n\nYou can reach it at ${addresses.room}\nBy its name you always find it at ${addresses.console}\n`,
  }
}

function inGerman(room: RoomOfSteps, addresses: RoomAddresses, greeting: string) {
  const until = room.expirationDate === null ? 'Er gilt unbegrenzt.' : `Er gilt bis ${dayOf(room.expirationDate)}.`
  return {
    subject: `Ihr Projektraum ${room.name} ist bereit`,
    body: `${greeting}\n\nder Projektraum ${room.name} von ${room.companyName} wurde angelegt. ${until}\n\nSie erreichen ihn unter ${addresses.room}\nÜber seinen Namen finden Sie ihn immer unter ${addresses.console}\n`,
  }
}

/** dd.MM.yyyy */
function dayOf(date: string): string {
  return date.split('-').reverse().join('.')
}
