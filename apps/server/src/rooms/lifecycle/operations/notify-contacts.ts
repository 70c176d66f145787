/**
 * Sends a text of an operator to owner and delegate of a room. The record has the room's name but not its id, so that
 * nothing else of the room has to wait for it.
 */
import { z } from 'zod'
import { noUndo, operation } from '#operations/index.ts'
import type { RoomCall } from '../../steps/room-call.ts'
import { findRoomOfSteps } from '../../stored-room.ts'
import { sendMails, toOwnerAndDelegate } from './mails.ts'

const input = z.object({
  roomId: z.uuid(),
  /** Empty: the usual one. */
  subject: z.string(),
  text: z.string(),
})
type Input = z.infer<typeof input>

export const notifyContacts = operation<Input>({
  kind: 'room.notify',
  version: 1,
  process: null,
  input,
  takesSlot: false,
  whenFailed: 'keep',
  managedBy: 'admin',
  steps: [{ id: 'tell-customers', title: 'tell owner and delegate', run: sendText, undo: noUndo }],
  async done() {},
  async failed() {},
  async cancelled() {},
  async retrying() {},
})

async function sendText(call: RoomCall<Input>): Promise<void> {
  const { subject, text } = call.input
  const room = await findRoomOfSteps(call.services.db, call.input.roomId)
  const body = `${text}\n`
  const mails = toOwnerAndDelegate(room, () => ({
    en: { subject: subject || `About your project room ${room.name}`, body },
    de: { subject: subject || `Zu Ihrem Projektraum ${room.name}`, body },
  }))
  await sendMails(call, room, mails)
}
