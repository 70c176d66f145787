/** What an edit means for the stored room: the columns to write, and what changed from what to what. */
import type { RoomEdit } from '@roomkeeper/contract'
import { type CompleteEdit, checkRoomEdit, completeRoomEdit, dayInUtc, type EditedRoom } from '@roomkeeper/rules'
import type { AuditChange } from '#operators/index.ts'
import { lockSapNumberUntilCommit } from '#platform/advisory-locks.ts'
import { rowOf } from '#platform/column-names.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import type { StoredRoom } from '../stored-room.ts'
import type { EditedColumns } from './operations/edit-room.ts'

/**
 * In the transaction that starts the edit, the room's row being held.
 * @throws Refusal `version-stale`, `invalid-input`, `sap-number-taken`
 */
export async function planEdit(
  tx: Tx,
  room: StoredRoom,
  sent: RoomEdit,
): Promise<{ columns: EditedColumns; changes: AuditChange[] }> {
  if (room.version !== sent.version) throw refuse('version-stale')
  const edited = editedRoom(room)
  const wrong = checkRoomEdit(edited, sent, { today: dayInUtc(new Date()) })
  if (wrong.length > 0) throw refuseInput(wrong)
  await reserveSapNumber(tx, room.id, sent.sapNumberLast)
  const columns = columnsOf(completeRoomEdit(edited, sent))
  return { columns, changes: changesOf(room, rowOf(columns)) }
}

function editedRoom(room: StoredRoom): EditedRoom {
  return {
    tenantName: room.name,
    product: room.product,
    edition: room.edition,
    region: room.regionId,
    sapNumber: room.sapNumber,
    productType: room.salesChannel,
    priority: room.priority,
    expirationDate: room.expirationDate,
  }
}

/** Two edits that want the same number at the same moment: the second waits here and then finds the first's operation. */
async function reserveSapNumber(tx: Tx, roomId: string, sapNumber: string): Promise<void> {
  await lockSapNumberUntilCommit(tx, sapNumber)
  const [taken] = await queryRows(
    tx,
    `select 1 from rooms where (sap_number = $1 or sap_number_last = $1) and id <> $2
     union all
     select 1 from operations where kind = 'room.edit' and state in ('waiting', 'running', 'cancelling')
        and input->'columns'->>'sap_number_last' = $1 and room_id <> $2
     limit 1`,
    [sapNumber, roomId],
  )
  if (taken === undefined) return
  throw refuse('sap-number-taken', {}, [{ field: 'sapNumberLast', message: takenText }])
}

const takenText = 'This SAP contract number is already used by another project room.'

function columnsOf(edit: CompleteEdit): EditedColumns {
  return {
    expiration_date: edit.expirationDate,
    customer_first_name: edit.customerFirstName,
    customer_last_name: edit.customerLastName,
    customer_email: edit.customerEmail,
    customer_contact_details: edit.customerContactDetails,
    company_name: edit.companyName,
    salesman: edit.salesman,
    salesman_email: edit.salesmanEmail,
    additional_email: edit.additionalEmail,
    sap_number_last: edit.sapNumberLast,
    licences: edit.licenses,
    licences_information: edit.licensesInformation,
    sub_licences: edit.subLicenses,
    sub_mining_type: edit.subMiningType,
  }
}

/** The columns that hold one value; the wire calls them so too. */
const fields = [
  'expirationDate',
  'customerFirstName',
  'customerLastName',
  'customerEmail',
  'customerContactDetails',
  'companyName',
  'salesman',
  'salesmanEmail',
  'additionalEmail',
  'sapNumberLast',
  'subMiningType',
] as const

type Comparable = Pick<StoredRoom, (typeof fields)[number] | 'licencesInformation' | 'subLicences'>

/** By wire field names; licences one by one (`licenses.YABD`, `licensesInformation.ESV`, `subLicenses.DataVolumeGB`). */
function changesOf(before: Comparable, after: Comparable): AuditChange[] {
  const [from, to] = [valuesOf(before), valuesOf(after)]
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((field) => ({ field, from: from.get(field) ?? null, to: to.get(field) ?? null }))
    .filter((each) => each.from !== each.to)
}

function valuesOf(room: Comparable): Map<string, string | number | null> {
  return new Map<string, string | number | null>([
    ...fields.map((field) => [field, room[field]] as const),
    ...room.licencesInformation.map((each) => [`licenses.${each.licenseKey}`, each.licenseAmount] as const),
    ...room.licencesInformation.map((each) => [`licensesInformation.${each.licenseKey}`, each.licenseType] as const),
    ...room.subLicences.map((each) => [`subLicenses.${each.licenseKey}`, each.subLicenseAmount] as const),
  ])
}
