/**
 * What no region can tell of a room, such as its SAP contract numbers, sales contact and time of creation. Its region
 * keeps them as a text that only the console can read, so that a console whose database is lost has them again when it
 * adopts the room. Sent by send-records.ts.
 */
import { type RoomFieldName, roomFieldSchemas, roomFieldsWith } from '@roomkeeper/contract'
import { z } from 'zod'
import { Secret, type SecretBox } from '#platform/secrets.ts'
import { columnOfField, type FieldColumns } from '../room-field-columns.ts'

/** Fields that regions tell, or that follow from the room's state. All other fields of the catalogue are in the record. */
const toldByRegions = [
  'product',
  'tenantName',
  'edition',
  'customerFirstName',
  'customerLastName',
  'customerEmail',
  'region',
  'expirationDate',
  'projectRoomState',
  'companyName',
  'customerContactDetails',
  'additionalEmail',
  'subMiningType',
  'errorMessage',
] as const satisfies RoomFieldName[]
type ConsoleField = Exclude<RoomFieldName, (typeof toldByRegions)[number]>

const told: readonly RoomFieldName[] = toldByRegions
const consoleFields = roomFieldsWith('shown').filter((field): field is ConsoleField => !told.includes(field))
/** A change of one makes the record due (trigger room_record_due_update). */
export const consoleColumns = consoleFields.map(columnOfField) as (keyof ConsoleColumns)[]
export type ConsoleColumns = FieldColumns<ConsoleField>

/**
 * The room's id is in it, so that the record of one room is not taken for that of another. One from before a field was
 * added does not have the field.
 */
const sealedRecord = z.object({
  format: z.literal(1),
  roomId: z.uuid(),
  fields: z.strictObject(roomFieldSchemas('shown', consoleFields)).partial(),
})

export function sealRecord(secrets: SecretBox, room: ConsoleColumns & { id: string }): string {
  const fields = Object.fromEntries(
    consoleFields.map((field) => [field, room[columnOfField(field) as keyof ConsoleColumns]]),
  )
  return secrets.seal(new Secret(JSON.stringify(z.encode(sealedRecord, { format: 1, roomId: room.id, fields }))))
}

/** `none`: the region keeps none. `other-key`: neither SECRET_KEY nor SECRET_KEY_OLD opens it. */
export type WhyNoRecord = 'none' | 'other-key' | 'unusable'

/** What the record says of this room, or why it says nothing. */
export function openRecord(
  secrets: SecretBox,
  roomId: string,
  record: string | null,
): Partial<ConsoleColumns> | WhyNoRecord {
  if (record === null) return 'none'
  let opened: string
  try {
    opened = secrets.open(record).reveal()
  } catch {
    return 'other-key'
  }
  const found = sealedRecord.safeDecode(parsed(opened) as z.input<typeof sealedRecord>)
  if (!found.success || found.data.roomId !== roomId.toLowerCase()) return 'unusable'
  const fields = Object.entries(found.data.fields) as [ConsoleField, unknown][]
  return Object.fromEntries(fields.map(([field, value]) => [columnOfField(field), value]))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
