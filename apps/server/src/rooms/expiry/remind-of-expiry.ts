/**
 * Tells owner and sales contact that a room expires. Who was told is recorded, so that each is told once, and one whose
 * e-mail fails does not keep the other from being told. What failed is tried again the next day (start-reminders.ts).
 */
import { because } from '@roomkeeper/contract'
import { z } from 'zod'
import { nothing, type OperationRecord, operation, StepFailed } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { sendPatiently } from '../lifecycle/operations/send-mails.ts'
import type { RoomCall } from '../steps/room-call.ts'
import type { RoomServices } from '../steps/room-services.ts'
import type { StoredRoom } from '../stored-room.ts'
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
  steps: [{ id: 'tell-stakeholders', title: 'tell the stakeholders', run: tellAll, undo: nothing }],
  async done() {},
  async failed(tx, record) {
    await change(tx, record, `retry_on = (now() at time zone 'utc')::date + 1`)
  },
  async cancelled() {},
  async retrying(tx, record) {
    if (!(await change(tx, record, 'retry_on = null')))
      throw refuse('operation-not-retryable', { reason: because('newer-operation') })
  },
})

const contacts = ['owner', 'sales'] as const
type Contact = (typeof contacts)[number]

async function tellAll(call: RoomCall<ReminderInput>): Promise<void> {
  const { db } = call.services
  const known = `select notified from expiry_reminders where ${ofThis}`
  const [reminder] = await queryRows<{ notified: Contact[] }>(db, known, keyOf(call))
  const room = await db.selectFrom('rooms').selectAll().where('id', '=', call.input.roomId).executeTakeFirst()
  // It was deleted, or extended, meanwhile: the reminder would be wrong.
  if (reminder === undefined || room?.expirationDate !== call.input.expirationDate)
    return call.log([because('log-no-reminder')])
  const failures: StepFailed[] = []
  const knownContacts = contacts.filter((each) => each === 'owner' || room.salesmanEmail !== '')
  for (const who of knownContacts.filter((each) => !reminder.notified.includes(each))) {
    await tell(call, room, who).catch((error: unknown) => {
      if (!(error instanceof StepFailed)) throw error
      failures.push(error)
    })
  }
  if (failures.length > 0) throw new StepFailed(failures.flatMap(({ reasons }) => reasons))
}

async function tell(call: RoomCall<ReminderInput>, room: StoredRoom, who: Contact): Promise<void> {
  await sendPatiently(call, expiryMail(room, who), who)
  await call.transaction((tx) => change(tx, call, `notified = array_append(notified, '${who}')`))
  await call.log([because(`log-${who}-informed`)])
}

type Key = Pick<OperationRecord<ReminderInput>, 'id' | 'input'>

/** Not that of another operation, which has taken the reminder up since. */
const ofThis = 'room_id = $1 and expiration_date = $2 and days = $3 and operation_id = $4'

function keyOf({ id, input: { roomId, expirationDate, days } }: Key): unknown[] {
  return [roomId, expirationDate, days, id]
}

/** @returns false if the reminder is gone, or another operation has taken it up */
async function change(tx: Tx, record: Key, set: string): Promise<boolean> {
  const changed = await queryRows(tx, `update expiry_reminders set ${set} where ${ofThis} returning 1`, keyOf(record))
  return changed.length > 0
}
