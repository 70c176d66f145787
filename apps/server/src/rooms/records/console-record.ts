/**
 * What no region can tell of a room: its SAP contract numbers, sales contact, sales channel, priority and time of
 * creation. Its region keeps them as a text that only the console can read, so that a console whose database is lost has
 * them again when it adopts the room. Sent by send-records.ts.
 */
import { salesChannels } from '@roomkeeper/contract'
import { z } from 'zod'
import { Secret, type SecretBox } from '#platform/secrets.ts'

/** By their columns of `rooms`; a change of one makes the record due (trigger room_record_due_update). */
const consoleFields = z.object({
  sapNumber: z.string(),
  sapNumberLast: z.string().nullable(),
  salesChannel: z.enum(salesChannels),
  salesman: z.string().nullable(),
  salesmanEmail: z.string(),
  priority: z.int(),
  createdAt: z.iso.datetime(),
})
export type ConsoleFields = z.output<typeof consoleFields>

/** The room's id is in it, so that the record of one room is not taken for that of another. */
const sealedRecord = z.object({ format: z.literal(1), roomId: z.uuid(), fields: consoleFields })

export function sealRecord(secrets: SecretBox, room: ConsoleFields & { id: string }): string {
  const record: z.input<typeof sealedRecord> = { format: 1, roomId: room.id, fields: consoleFields.parse(room) }
  return secrets.seal(new Secret(JSON.stringify(record)))
}

/** `none`: the region keeps none. `other-key`: neither SECRET_KEY nor SECRET_KEY_OLD opens it. */
export type WhyNoRecord = 'none' | 'other-key' | 'unusable'

/** What the record says of this room, or why it says nothing. */
export function openRecord(secrets: SecretBox, roomId: string, record: string | null): ConsoleFields | WhyNoRecord {
  if (record === null) return 'none'
  let opened: string
  try {
    opened = secrets.open(record).reveal()
  } catch {
    return 'other-key'
  }
  const found = sealedRecord.safeParse(parsed(opened))
  return found.success && found.data.roomId === roomId.toLowerCase() ? found.data.fields : 'unusable'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
