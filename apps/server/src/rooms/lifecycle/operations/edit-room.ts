/**
 * Changes a room on its region, then in the console. The row keeps the old values until the region has accepted the new
 * ones, so the undo sends the row to the region again; also when the database refuses the row at the end.
 */
import {
  because,
  fieldError,
  licenceInformation,
  type RoomEdit,
  type RoomFieldWith,
  roomFieldSchemas,
  roomFieldsWith,
  subLicenceEntry,
  subMiningTypes,
} from '@roomkeeper/contract'
import { type CompleteEdit, checkRoomEdit, completeRoomEdit, dayInUtc } from '@roomkeeper/rules'
import { z } from 'zod'
import { type FieldChange, recordChange } from '#changes/index.ts'
import { operation, StepFailed } from '#operations/index.ts'
import { lockSapNumberUntilCommit } from '#platform/advisory-locks.ts'
import { inSnakeCase, rowOf } from '#platform/column-names.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import { columnsOf, editableColumns, fieldsOf } from '../../room-field-columns.ts'
import { unchangedRoom } from '../../steps/outcomes.ts'
import { type RoomCall, targetOf } from '../../steps/room-call.ts'
import { type RoomOfSteps, type StoredRoom, settingsOf } from '../../stored-room.ts'

const text = z.string()
/** All optional, because an operation stored before a field existed lacks it, and then the field stays as it is. */
const texts = z.object(roomFieldSchemas('shown', roomFieldsWith('form'))).exactPartial().shape
/** The columns that an edit writes, under their database names. */
const editedColumns = z.object(
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
type EditedColumns = z.infer<typeof editedColumns>

const change = z.object({ field: text, from: z.unknown(), to: z.unknown() })
const input = z.object({
  columns: editedColumns,
  changes: z.array(change),
  /** The entry of the audit trail that this edit undoes. */
  undoes: z.exactOptional(z.int()),
})
type Input = { columns: EditedColumns; changes: FieldChange[]; undoes?: number }

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
    const { columns, changes, undoes } = input
    if (roomId === null) return
    await queryRows(tx, changeColumns, [roomId, JSON.stringify(columns)]).catch(explainTakenNumber)
    const room = { id: roomId, name: roomName }
    const detail = undoes === undefined ? {} : { detail: because('audit-undoes', { entry: undoes }) }
    const by = { actor: startedBy, requestId, operation: record }
    await recordChange(tx, { kind: 'room.edit', ...by, room, changes, ...detail })
  },
  async retrying() {
    throw refuse('operation-not-retryable', { reason: because('change-again') })
  },
})

/** Columns that the edit does not have keep the value that they have now. */
const changeColumns = `
  update rooms r
     set (${editableColumns}) = (select ${editableColumns} from jsonb_populate_record(r, $2::jsonb)),
         version = r.version + 1
   where r.id = $1`

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

/**
 * Translates an edit into the columns to write and the changes to audit, each with its old and new value. Runs in the
 * transaction that starts the edit, with the room's row locked.
 * @throws Refusal `version-stale`, `invalid-input`, `sap-number-taken`
 */
export async function planEdit(
  tx: Tx,
  room: StoredRoom,
  sent: RoomEdit,
): Promise<{ columns: EditedColumns; changes: FieldChange[] }> {
  if (room.version !== sent.version) throw refuse('version-stale')
  const edited = fieldsOf(room)
  const wrong = checkRoomEdit(edited, sent, { today: dayInUtc(new Date()) })
  if (wrong.length > 0) throw refuseInput(wrong)
  await reserveSapNumber(tx, room, sent.sapNumberLast)
  const row = rowAfter(completeRoomEdit(edited, sent))
  return { columns: inSnakeCase(row), changes: changesOf(room, row) }
}

/** An edit of nothing but the last day on which the room is valid. The rest of the row is sent and stored as it is. */
export function planExtension(
  room: StoredRoom,
  expirationDate: string | null,
): { columns: EditedColumns; changes: FieldChange[] } {
  const { licences, licencesInformation, subLicences } = room
  const { sapNumberLast, ...same } = columnsOf(editedFields, fieldsOf(room))
  const lists = { licences, licencesInformation, subLicences }
  const row = { ...same, ...lists, ...(sapNumberLast === null ? {} : { sapNumberLast }), expirationDate }
  const changes = [{ field: 'expirationDate', from: room.expirationDate, to: expirationDate }]
  return { columns: inSnakeCase(row), changes: changes.filter(({ from, to }) => from !== to) }
}

/**
 * If two edits ask for the same number at once, the second waits for the lock and then finds the first's operation. A
 * number that the room has already stays possible, even if another room was created with it since. The rooms are asked
 * for in two parts, because each has its own index.
 */
async function reserveSapNumber(tx: Tx, { id, sapNumberLast }: StoredRoom, sapNumber: string): Promise<void> {
  await lockSapNumberUntilCommit(tx, sapNumber)
  const [taken] = await queryRows(
    tx,
    `select 1 where sap_number_key($1) is distinct from sap_number_key($3)
        and (exists (select from rooms where sap_number_key(sap_number) = sap_number_key($1) and id <> $2)
          or exists (select from rooms where sap_number_key(sap_number_last) = sap_number_key($1)
                        and sap_number_last is not null and id <> $2))
     union all
     select 1 from operations where kind = 'room.edit' and state in ('waiting', 'running', 'cancelling')
        and sap_number_key(input->'columns'->>'sap_number_last') = sap_number_key($1) and room_id <> $2
     limit 1`,
    [sapNumber, id, sapNumberLast],
  )
  if (taken === undefined) return
  throw refuse('sap-number-taken', {}, [fieldError('sapNumberLast', 'sap-number-taken')])
}

function rowAfter(edit: CompleteEdit) {
  return {
    ...columnsOf(editedFields, edit),
    sapNumberLast: edit.sapNumberLast,
    licences: edit.licenses,
    licencesInformation: edit.licensesInformation,
    subLicences: edit.subLicenses,
  }
}

/** The columns of these fields have the same names as the fields. */
export const editedFields = roomFieldsWith('edit')

type Comparable = Pick<StoredRoom, RoomFieldWith<'edit'> | 'licencesInformation' | 'subLicences'>

/** Wire names, with licences one by one: `licenses.YABD`, `licensesInformation.ESV`, `subLicenses.DataVolumeGB`. */
function changesOf(before: Comparable, after: Comparable): FieldChange[] {
  const [from, to] = [valuesOf(before), valuesOf(after)]
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((field) => ({ field, from: from.get(field) ?? null, to: to.get(field) ?? null }))
    .filter((each) => each.from !== each.to)
}

export function valuesOf(room: Comparable): Map<string, string | number | null> {
  return new Map<string, string | number | null>([
    ...editedFields.map((field) => [field, room[field]] as const),
    ...room.licencesInformation.map((each) => [`licenses.${each.licenseKey}`, each.licenseAmount] as const),
    ...room.licencesInformation.map((each) => [`licensesInformation.${each.licenseKey}`, each.licenseType] as const),
    ...room.subLicences.map((each) => [`subLicenses.${each.licenseKey}`, each.subLicenseAmount] as const),
  ])
}
