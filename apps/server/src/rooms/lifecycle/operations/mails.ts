/** E-mails to owner and delegate of a room. */
import { because } from '@roomkeeper/contract'
import { type OutgoingMail, recordChange } from '#changes/index.ts'
import { addLogLine, type Services } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'
import type { MailText } from '#platform/mail.ts'
import type { RoomCall } from '../../steps/room-call.ts'
import type { RoomOfSteps, StoredRoom } from '../../stored-room.ts'

/**
 * Writes the e-mails of an operation about a room into the outbox, at the end of a step. Whether they are delivered
 * does not change how the operation ends.
 */
export async function sendMails<Input>(
  call: RoomCall<Input>,
  room: { id: string; name: string },
  mails: readonly Pick<OutgoingMail, 'kind' | 'to' | 'text' | 'whileExpires'>[],
): Promise<void> {
  const { id: operationId } = call
  await call.finish(async (tx) => {
    for (const mail of mails) {
      const written = { ...mail, operationId, room: { id: room.id, name: room.name } }
      await recordChange(tx, { kind: 'mail.of-operation', mail: written })
      // Here, because a worker may send it at once: its line must not come first.
      await addLogLine(tx, operationId, { level: 'info', reason: because('log-mail-queued', { to: mail.to }) })
    }
  })
}

interface RoomMail {
  kind: 'owner' | 'delegate'
  to: string
  text: MailText
}

/** How a mail begins: the names that the console has are the owner's. */
interface Greeting {
  en: string
  de: string
}

/** The e-mail that tells owner and delegate that their room has been created. */
export function createdMail(room: RoomOfSteps, addresses: RoomAddresses): RoomMail[] {
  return toOwnerAndDelegate(room, ({ en, de }) => ({
    en: createdInEnglish(room, addresses, en),
    de: createdInGerman(room, addresses, de),
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

function createdInEnglish(room: RoomOfSteps, addresses: RoomAddresses, greeting: string) {
  const until =
    room.expirationDate === null ? 'It is valid without limit.' : `It is valid until ${dayOf(room.expirationDate)}.`
  return {
    subject: `Your project room ${room.name} is ready`,
    body: `${greeting}\n\nthe project room ${room.name} of ${room.companyName} has been created. ${until}\n\nYou can reach it at ${addresses.room}\nBy its name you always find it at ${addresses.console}\n`,
  }
}

function createdInGerman(room: RoomOfSteps, addresses: RoomAddresses, greeting: string) {
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

/** The e-mail that tells owner and delegate that their room has been suspended or resumed. */
export function stateMail(room: RoomOfSteps, what: 'suspended' | 'resumed', addresses: RoomAddresses): RoomMail[] {
  return toOwnerAndDelegate(room, ({ en, de }) => ({
    en: stateInEnglish(room, what, addresses, en),
    de: stateInGerman(room, what, addresses, de),
  }))
}

function stateInEnglish(room: RoomOfSteps, what: 'suspended' | 'resumed', addresses: RoomAddresses, greeting: string) {
  const meaning =
    what === 'suspended'
      ? 'It cannot be used for now. Its content is kept.'
      : `It can be used again. You can reach it at ${addresses.room}`
  return {
    subject: `Your project room ${room.name} has been ${what}`,
    body: `${greeting}\n\nthe project room ${room.name} of ${room.companyName} has been ${what}. ${meaning}\n`,
  }
}

function stateInGerman(room: RoomOfSteps, what: 'suspended' | 'resumed', addresses: RoomAddresses, greeting: string) {
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

/** Where customers find a room. */
interface RoomAddresses {
  /** The room on its region; it changes when the room moves. */
  room: string
  /** The console's page that leads to a room by its name. */
  console: string
}

export async function addressesOf(
  { db, publicUrl }: Pick<Services, 'db' | 'publicUrl'>,
  { regionId, name }: Pick<StoredRoom, 'regionId' | 'name'>,
): Promise<RoomAddresses> {
  const [region] = await queryRows<{ url: string }>(db, 'select url from regions where id = $1', [regionId])
  if (region === undefined) throw new Error('The region of the room is gone.')
  return { room: `${region.url.replace(/\/+$/, '')}/${name}`, console: `${publicUrl}login` }
}
