/**
 * Changes a room on its region, then in the console. The row keeps the old values until the region has accepted the new
 * ones, so the undo sends the row to the region again; also when the database refuses the row at the end.
 */

import {
  because,
  licenceInformation,
  roomFieldSchemas,
  roomFieldsWith,
  subLicenceEntry,
  subMiningTypes,
} from '@roomkeeper/contract'
import { z } from 'zod'
import { type FieldChange, recordChange } from '#changes/index.ts'
import { operation, StepFailed } from '#operations/index.ts'
import { inSnakeCase, rowOf } from '#platform/column-names.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { refuse } from '#platform/refuse.ts'
import { type RoomCall, targetOf } from '../../steps/room-call.ts'
import { unchangedRoom } from '../../steps/unchanged-room.ts'
import { type RoomOfSteps, settingsOf } from '../../stored-room.ts'

const text = z.string()
/** All optional, because an operation stored before a field existed lacks it, and then the field stays as it is. */
const texts = z.object(roomFieldSchemas('shown', roomFieldsWith('form'))).exactPartial().shape
/** The columns that an edit writes, under their database names. */
export const editedColumns = z.object(
  inSnakeCase({
    ...texts,
    expirationDate: text.nullable(),
    // Absent in an edit of the last day only, of a room that has none.
    sapNumberLast: z.exactOptional(text),
    licences: z.record(text, z.int()),
    licencesInformation: z.array(licenceInformation),
    subLicences: z.array(subLicenceEntry),
    subMiningType: z.enum(subMiningTypes),
  }),
)
export type EditedColumns = z.infer<typeof editedColumns>

const change = z.object({ field: text, from: z.unknown(), to: z.unknown() })
const input = z.object({ columns: editedColumns, changes: z.array(change) })
type Input = { columns: EditedColumns; changes: FieldChange[] }

export const editRoom = operation<Input>({
  kind: 'room.edit',
  version: 1,
  process: null,
  input,
  takesSlot: false,
  whenFailed: 'undo',
  managedBy: 'admin',
  steps: [{ id: 'change-room', title: 'change the room on the region', run: sendEdited, undo: sendStored }],
  ...unchangedRoom,
  async done(tx, record) {
    const { roomId, roomName, input, startedBy, requestId } = record
    const { columns, changes } = input
    if (roomId === null) return
    const edited = rowOf(columns)
    await tx
      .updateTable('rooms')
      .set((is) => ({
        ...edited,
        licences: JSON.stringify(edited.licences),
        licencesInformation: JSON.stringify(edited.licencesInformation),
        subLicences: JSON.stringify(edited.subLicences),
        version: is('version', '+', 1),
      }))
      .where('id', '=', roomId)
      .execute()
      .catch(explainTakenNumber)
    const room = { id: roomId, name: roomName }
    await recordChange(tx, { kind: 'room.edit', actor: startedBy, requestId, room, operation: record, changes })
  },
  async retrying() {
    throw refuse('operation-not-retryable', { reason: because('change-again') })
  },
})

/** Another room has got the number since the edit was accepted: the unique index or its trigger refuses the row. */
function explainTakenNumber(error: unknown): never {
  if (violatesUnique(error, 'rooms_new_sap_number')) throw new StepFailed(because('sap-number-taken'))
  throw error
}

async function sendEdited(call: RoomCall<Input>): Promise<void> {
  const { room, region } = await targetOf(call)
  const edited: RoomOfSteps = { ...room, ...rowOf(call.input.columns) }
  await region.changeRoom(room.name, { ...settingsOf(edited), roomId: room.id }, call.mark)
}

async function sendStored(call: RoomCall<Input>): Promise<void> {
  const { room, region } = await targetOf(call)
  await region.changeRoom(room.name, { ...settingsOf(room), roomId: room.id }, call.mark)
}
