/** The e-mail that tells owner and delegate that their room has been suspended or resumed. */
import type { StoredRoom } from '../../stored-room.ts'
import { type RoomMail, toOwnerAndDelegate } from './created-mail.ts'

export function stateMail(room: StoredRoom, what: 'suspended' | 'resumed', publicUrl: string): RoomMail[] {
  return toOwnerAndDelegate(room, { en: inEnglish(room, what, publicUrl), de: inGerman(room, what, publicUrl) })
}

function inEnglish(room: StoredRoom, what: 'suspended' | 'resumed', publicUrl: string) {
  const meaning =
    what === 'suspended'
      ? 'It cannot be used for now. Its content is kept.'
      : `It can be used again. You can reach it at ${publicUrl}.`
  return {
    subject: `Your project room ${room.name} has been ${what}`,
    body: `Hello ${room.customerFirstName} ${room.customerLastName},\n\nthe project room ${room.name} of ${room.companyName} has been ${what}. ${meaning}\n`,
  }
}

function inGerman(room: StoredRoom, what: 'suspended' | 'resumed', publicUrl: string) {
  const done = what === 'suspended' ? 'gesperrt' : 'wieder freigegeben'
  const meaning =
    what === 'suspended'
      ? 'Er kann vorläufig nicht benutzt werden. Sein Inhalt bleibt erhalten.'
      : `Er kann wieder benutzt werden. Sie erreichen ihn unter ${publicUrl}.`
  return {
    subject: `Ihr Projektraum ${room.name} wurde ${done}`,
    body: `Guten Tag ${room.customerFirstName} ${room.customerLastName},\n\nder Projektraum ${room.name} von ${room.companyName} wurde ${done}. ${meaning}\n`,
  }
}
