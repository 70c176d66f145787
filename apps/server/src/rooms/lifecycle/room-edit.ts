/** Translates an edit into the columns to write and the changes to audit, each with its old and new value. */
import { fieldError, type RoomEdit, type RoomFieldWith, roomFieldsWith } from '@roomkeeper/contract'
import { type CompleteEdit, checkRoomEdit, completeRoomEdit, dayInUtc } from '@roomkeeper/rules'
import type { FieldChange } from '#changes/index.ts'
import { lockSapNumberUntilCommit } from '#platform/advisory-locks.ts'
import { inSnakeCase } from '#platform/column-names.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import { columnsOf, fieldsOf } from '../room-field-columns.ts'
import type { StoredRoom } from '../stored-room.ts'
import type { EditedColumns } from './operations/edit-room.ts'

/**
 * Runs in the transaction that starts the edit, with the room's row locked.
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
  expirationDate: string,
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
const editedFields = roomFieldsWith('edit')

type Comparable = Pick<StoredRoom, RoomFieldWith<'edit'> | 'licencesInformation' | 'subLicences'>

/** Wire names, with licences one by one: `licenses.YABD`, `licensesInformation.ESV`, `subLicenses.DataVolumeGB`. */
function changesOf(before: Comparable, after: Comparable): FieldChange[] {
  const [from, to] = [valuesOf(before), valuesOf(after)]
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((field) => ({ field, from: from.get(field) ?? null, to: to.get(field) ?? null }))
    .filter((each) => each.from !== each.to)
}

function valuesOf(room: Comparable): Map<string, string | number | null> {
  return new Map<string, string | number | null>([
    ...editedFields.map((field) => [field, room[field]] as const),
    ...room.licencesInformation.map((each) => [`licenses.${each.licenseKey}`, each.licenseAmount] as const),
    ...room.licencesInformation.map((each) => [`licensesInformation.${each.licenseKey}`, each.licenseType] as const),
    ...room.subLicences.map((each) => [`subLicenses.${each.licenseKey}`, each.subLicenseAmount] as const),
  ])
}
