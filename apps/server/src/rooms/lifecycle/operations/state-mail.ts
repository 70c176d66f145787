/** The e-mail that tells owner and delegate that their room has been suspended or resumed. */
import type { RoomOfSteps } from '../../stored-room.ts'
import type { RoomAddresses } from './addresses-of-room.ts'
import { type RoomMail, toOwnerAndDelegate } from './created-mail.ts'

export function stateMail(room: RoomOfSteps, what: 'suspended' | 'resumed', addresses: RoomAddresses): RoomMail[] {
  return toOwnerAndDelegate(room, ({ en, de }) => ({
    en: inEnglish(room, what, addresses, en),
    de: inGerman(room, what, addresses, de),
  }))
}

function inEnglish(room: RoomOfSteps, what: 'suspended' | 'resumed', addresses: RoomAddresses, greeting: string) {
  const meaning =
    what === 'suspended'
      ? 'It cannot be used for now. Its content is kept.'
      : `It can be used again. You can reach it at ${addresses.room}`
  return {
    subject: `Your project room ${room.name} has been ${what}`,
    body: `${greeting}\n\nthe project room ${room.name} of ${room.companyName} has been ${what}. ${meaning}\n`,
  }
}

function inGerman(room: RoomOfSteps, what: 'suspended' | 'resumed', addresses: RoomAddresses, greeting: string) {
  const done = what === 'suspended' ? 'angehalten' : 'fortgesetzt'
  const meaning =
    what === 'suspended'
      ? 'Er kann vorläufig nicht benutzt werden. Sein Inhalt bleibt erhalten.'
      : `Er kann wieder benutzt werden. Sie erreichen ihn unter ${addresses.room}`
  return {
    subject: `Ihr Projektraum ${room.name} wurde ${done}`,
    body: `${greeting}\n\nder Projektraum ${room.name} von ${room.companyName} wurde ${done}. ${meaning}\n`,
  }
}
