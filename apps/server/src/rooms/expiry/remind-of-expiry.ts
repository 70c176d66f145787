/** Tells owner and sales contact that a room expires. */
import { because } from '@roomkeeper/contract'
import { z } from 'zod'
import { noUndo, operation, type Services } from '#operations/index.ts'
import { type Db, queryRows } from '#platform/database.ts'
import type { MailText } from '#platform/mail.ts'
import { sendMails } from '../lifecycle/operations/mails.ts'
import type { RoomCall } from '../steps/room-call.ts'
import type { StoredRoom } from '../stored-room.ts'

const input = z.object({ roomId: z.uuid(), expirationDate: z.iso.date(), days: z.int() })
type ReminderInput = z.infer<typeof input>

export const remindOfExpiry = operation<ReminderInput>({
  kind: 'room.remind',
  version: 1,
  process: null,
  input,
  takesSlot: false,
  whenFailed: 'keep',
  managedBy: 'admin',
  steps: [{ id: 'tell-stakeholders', title: 'tell the stakeholders', run: tellAll, undo: noUndo }],
  async done() {},
  async failed() {},
  async cancelled() {},
  async retrying() {},
})

async function tellAll(call: RoomCall<ReminderInput>): Promise<void> {
  const { roomId, expirationDate } = call.input
  const [room] = await queryRows<Reminded>(
    call.services.db,
    `select id, name, company_name, customer_first_name, customer_last_name, customer_email, salesman_email,
            expiration_date
       from rooms where id = $1`,
    [roomId],
  )
  // It was deleted, or extended, meanwhile: the reminder would be wrong.
  if (room?.expirationDate !== expirationDate) return call.log([because('log-no-reminder')])
  // A room that was adopted may have no sales contact.
  const kinds = (['owner', 'sales'] as const).filter((kind) => kind === 'owner' || room.salesmanEmail !== '')
  await sendMails(
    call,
    room,
    kinds.map((kind) => ({ kind, ...expiryMail(room, kind, call.services), whileExpires: { roomId, expirationDate } })),
  )
}

type Reminded = Pick<
  StoredRoom,
  | 'id'
  | 'name'
  | 'companyName'
  | 'customerFirstName'
  | 'customerLastName'
  | 'customerEmail'
  | 'salesmanEmail'
  | 'expirationDate'
>

/** The e-mail that reminds owner or sales contact of the last day of a room. The latter is led to it in the console. */
function expiryMail(
  room: Reminded,
  who: 'owner' | 'sales',
  { publicUrl }: Pick<Services, 'publicUrl'>,
): { to: string; text: MailText } {
  const { name, companyName: company, expirationDate } = room
  const day = (expirationDate ?? '').split('-').reverse().join('.')
  const owner = `${room.customerFirstName} ${room.customerLastName}`
  const greeting =
    who === 'owner' ? { en: `Hello ${owner},`, de: `Guten Tag ${owner},` } : { en: 'Hello,', de: 'Guten Tag,' }
  const page = `${publicUrl}project/edit_project_room/${name}`
  const advice =
    who === 'owner'
      ? {
          en: 'Please ask your contact if it is to be extended.',
          de: 'Bitte wenden Sie sich an Ihren Ansprechpartner, wenn er verlängert werden soll.',
        }
      : {
          en: `Its owner is ${owner} (${room.customerEmail}).\n\nYou find it in the console at ${page}`,
          de: `Sein Eigentümer ist ${owner} (${room.customerEmail}).\n\nIn der Konsole finden Sie ihn unter ${page}`,
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

/** Whether a reminder that has waited for the mail server is still true when it is sent. */
export async function stillExpires(
  db: Db,
  { roomId, expirationDate }: { roomId: string; expirationDate: string },
): Promise<boolean> {
  const found = await queryRows(
    db,
    `select 1 as found from rooms where id = $1 and expiration_date = $2 and state <> 'MARKED_FOR_DELETION'
        and expiration_date >= (now() at time zone 'utc')::date`,
    [roomId, expirationDate],
  )
  return found.length > 0
}
