/** Tells owner and sales contact that a room expires. Each has a step of their own, so each is told once. */
import { because } from '@roomkeeper/contract'
import { z } from 'zod'
import { nothing, operation } from '#operations/index.ts'
import { sendPatiently } from '../lifecycle/operations/send-mails.ts'
import type { RoomCall } from '../steps/room-call.ts'
import type { RoomServices } from '../steps/room-services.ts'
import { expiryMail } from './expiry-mail.ts'

const input = z.object({ roomId: z.uuid(), expirationDate: z.iso.date(), days: z.int() })
export type ReminderInput = z.infer<typeof input>

export const remindOfExpiry = operation<ReminderInput, RoomServices>({
  kind: 'room.remind',
  version: 1,
  process: null,
  input,
  takesSlot: false,
  whenFailed: 'keep',
  managedBy: 'admin',
  steps: [
    { id: 'tell-owner', title: 'tell the owner', run: (call) => tell(call, 'owner'), undo: nothing },
    { id: 'tell-sales', title: 'tell the sales contact', run: (call) => tell(call, 'sales'), undo: nothing },
  ],
  async done() {},
  async failed() {},
  async cancelled() {},
  async retrying() {},
})

async function tell(call: RoomCall<ReminderInput>, who: 'owner' | 'sales'): Promise<void> {
  const room = await call.services.db
    .selectFrom('rooms')
    .selectAll()
    .where('id', '=', call.input.roomId)
    .executeTakeFirst()
  // It was deleted, or extended, meanwhile: the reminder would be wrong.
  if (room === undefined || room.expirationDate !== call.input.expirationDate)
    return call.log([because('log-no-reminder')])
  await sendPatiently(call, expiryMail(room, who), who)
  await call.log([because(`log-${who}-informed`)])
}
