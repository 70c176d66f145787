/** The rules between the fields of an edited room: those of a new one, for the product and edition that it has. */
import type { FieldError, ProjectRoom, RoomEdit } from '@roomkeeper/contract'
import { checkNewRoom, completeNewRoom, type NewRoom } from './new-room.ts'

/** What an edit cannot change, and what it is compared with. */
export type EditedRoom = Pick<
  ProjectRoom,
  'tenantName' | 'product' | 'edition' | 'region' | 'sapNumber' | 'productType' | 'priority' | 'expirationDate'
>

/** An edit that passed the rules, in the form in which it is stored. */
export type CompleteEdit = Omit<NewRoom, 'tenantName' | 'region' | 'sapNumber' | 'productType' | 'priority'> & {
  sapNumberLast: string
}

/**
 * Everything that is wrong, at most one error per field, by wire field names. An expiration date in the past is
 * accepted when the room has it already. Whether the SAP number is free is the server's to check.
 */
export function checkRoomEdit(room: EditedRoom, edit: RoomEdit, context: { today: string }): FieldError[] {
  const unchanged = edit.expirationDate === room.expirationDate
  return checkNewRoom(draftOf(room, edit), context)
    .filter((each) => !(unchanged && each.field === 'expirationDate'))
    .map((each) => (each.code === 'designers-between' ? withoutLimit(each) : each))
}

/** Of an edit only the minimum of designers is reported. */
function withoutLimit({ field, params: { limit: _, ...params } }: FieldError): FieldError {
  return { field, code: 'designers-minimum', params }
}

/** The values to store. Only for edits in which `checkRoomEdit` found nothing. */
export function completeRoomEdit(room: EditedRoom, edit: RoomEdit): CompleteEdit {
  const { tenantName, region, sapNumber, productType, priority, ...changeable } = completeNewRoom(draftOf(room, edit))
  return { ...changeable, sapNumberLast: edit.sapNumberLast }
}

function draftOf(room: EditedRoom, edit: RoomEdit) {
  const { version, sapNumberLast, ...changeable } = edit
  const { tenantName, product, edition, region, sapNumber, productType, priority } = room
  return { ...changeable, tenantName, product, edition, region, sapNumber, productType, priority }
}
