/** Tells owner and sales contact that a room expires. */
import { because } from '@roomkeeper/contract'
import { z } from 'zod'
import { noUndo, operation } from '#operations/index.ts'
import { sendMails } from '../lifecycle/operations/send-mails.ts'
import type { RoomCall } from '../steps/room-call.ts'
import { expiryMail } from './expiry-mail.ts'

const input = z.object({ roomId: z.uuid(), expirationDate: z.iso.date(), days: z.int() })
export type ReminderInput = z.infer<typeof input>

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
  const room = await call.services.db.selectFrom('rooms').selectAll().where('id', '=', roomId).executeTakeFirst()
  // It was deleted, or extended, meanwhile: the reminder would be wrong.
  if (room?.expirationDate !== expirationDate) return call.log([because('log-no-reminder')])
  // A room that was adopted may have no sales contact.
  const kinds = (['owner', 'sales'] as const).filter((kind) => kind === 'owner' || room.salesmanEmail !== '')
  await sendMails(
    call,
    room,
    kinds.map((kind) => ({ kind, ...expiryMail(room, kind), whileExpires: { roomId, expirationDate } })),
  )
}
