/** The rules between the fields of an edited room: those of a new room with the same product and edition. */
import {
  type FieldError,
  fieldError,
  inNfc,
  maximumLicenceCount,
  type ProjectRoom,
  type RoomEdit,
} from '@roomkeeper/contract'
import { checkNewRoom, completeNewRoom, type NewRoom, whyNotKeys } from './new-room.ts'

/** The fields that an edit cannot change, and those that it is compared with. */
export type EditedRoom = Pick<
  ProjectRoom,
  | 'tenantName'
  | 'product'
  | 'edition'
  | 'region'
  | 'sapNumber'
  | 'productType'
  | 'priority'
  | 'expirationDate'
  | 'sapNumberLast'
  | 'customerEmail'
  | 'additionalEmail'
  | 'salesmanEmail'
>

/** An edit that passed the rules, in the form in which it is stored. */
export type CompleteEdit = Omit<NewRoom, 'tenantName' | 'region' | 'sapNumber' | 'productType' | 'priority'> & {
  sapNumberLast: string
}

/**
 * All errors of an edit, at most one per field, by the fields' names on the wire. An expiration date in the past is
 * accepted if it is unchanged, and so are the characters of texts that identify a person. The server checks whether the
 * SAP number is free.
 */
export function checkRoomEdit(room: EditedRoom, edit: RoomEdit, context: { today: string }): FieldError[] {
  const unchanged = edit.expirationDate === room.expirationDate
  return [...whyNotKeys({ sapNumberLast: edit.sapNumberLast }), ...checkNewRoom(draftOf(room, edit), context)]
    .filter((each) => !(unchanged && each.field === 'expirationDate') && !isStoredSo(room, edit, each))
    .map((each) => (each.code === 'designers-between' ? onEdit(each, edit) : each))
}

/** Whether a hidden character stands in a text that the edit leaves as it is. */
function isStoredSo(room: EditedRoom, edit: RoomEdit, { field, code }: FieldError): boolean {
  if (code !== 'text-has-control-characters') return false
  const [stored, sent]: Record<string, unknown>[] = [{ ...room }, { ...room, ...edit }]
  return inNfc(String(stored?.[field])) === inNfc(String(sent?.[field]))
}

/** The message of an edit names only the minimum of designers, so too many of them get that of the other licences. */
function onEdit({ field, params: { limit: _, ...params } }: FieldError, edit: RoomEdit): FieldError {
  const count = edit.licenses[field.slice('licenses.'.length)] ?? 0
  if (count > maximumLicenceCount) return fieldError(field, 'licence-count-too-large', { max: maximumLicenceCount })
  return { field, code: 'designers-minimum', params }
}

/** The values to store, from an edit in which `checkRoomEdit` found no error. */
export function completeRoomEdit(room: EditedRoom, edit: RoomEdit): CompleteEdit {
  const { tenantName, region, sapNumber, productType, priority, ...changeable } = completeNewRoom(draftOf(room, edit))
  return { ...changeable, sapNumberLast: edit.sapNumberLast }
}

function draftOf(room: EditedRoom, edit: RoomEdit) {
  const { version, sapNumberLast, ...changeable } = edit
  const { tenantName, product, edition, region, sapNumber, productType, priority } = room
  return { ...changeable, tenantName, product, edition, region, sapNumber, productType, priority }
}
