/** The e-mail that tells owner and delegate that their room has been created. */
import type { MailText } from '#platform/mail.ts'
import type { StoredRoom } from '../../stored-room.ts'

export interface RoomMail {
  kind: 'owner' | 'delegate'
  to: string
  text: MailText
}

export function createdMail(room: StoredRoom, publicUrl: string): RoomMail[] {
  return toOwnerAndDelegate(room, { en: inEnglish(room, publicUrl), de: inGerman(room, publicUrl) })
}

export function toOwnerAndDelegate(room: StoredRoom, text: MailText): RoomMail[] {
  const owner = { kind: 'owner', to: room.customerEmail, text } as const
  return room.additionalEmail === null ? [owner] : [owner, { kind: 'delegate', to: room.additionalEmail, text }]
}

function inEnglish(room: StoredRoom, publicUrl: string) {
  const until =
    room.expirationDate === null ? 'It is valid without limit.' : `It is valid until ${dayOf(room.expirationDate)}.`
  return {
    subject: `Your project room ${room.name} is ready`,
    body: `Hello ${room.customerFirstName} ${room.customerLastName},\n\nthe project room ${room.name} of ${room.companyName} has been created. ${until}\n\nYou can reach it at ${publicUrl}.\n`,
  }
}

function inGerman(room: StoredRoom, publicUrl: string) {
  const until = room.expirationDate === null ? 'Er gilt unbegrenzt.' : `Er gilt bis ${dayOf(room.expirationDate)}.`
  return {
    subject: `Ihr Projektraum ${room.name} ist bereit`,
    body: `Guten Tag ${room.customerFirstName} ${room.customerLastName},\n\nder Projektraum ${room.name} von ${room.companyName} wurde angelegt. ${until}\n\nSie erreichen ihn unter ${publicUrl}.\n`,
  }
}

/** dd.MM.yyyy */
function dayOf(date: string): string {
  return date.split('-').reverse().join('.')
}
