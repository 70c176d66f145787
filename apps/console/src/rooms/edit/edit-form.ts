/** The form of a stored room: the edit that it would send, its errors, and its changes. */
import {
  type FormSection,
  licencesOf,
  type ProjectRoom,
  type RoomEdit,
  roomEdit,
  roomFieldsWith,
  roomTextsIn,
} from '@roomkeeper/contract'
import { checkRoomEdit, countsOf, withDelegate } from '@roomkeeper/rules'
import type { FormErrors } from '#ui/form/resource-form.ts'
import { countOf, draftOf, type RoomForm } from '../form/room-form.ts'
import { byPath, schemaErrors, typingErrors } from '../form/room-form-errors.ts'

/** The fields whose schemas can check the form's values directly. */
const plainFields = ['sapNumberLast', ...roomFieldsWith('form')] as const

/** @param version the version of the room on which the changes are based */
export function editOf(form: RoomForm, version: number): RoomEdit {
  const { product, edition, region, sapNumber, productType, priority, ...changeable } = withDelegate(draftOf(form))
  return { ...changeable, version, sapNumberLast: form.sapNumberLast.trim() }
}

/** All errors. @param today in UTC, `YYYY-MM-DD` */
export function errorsOfEdit(form: RoomForm, room: ProjectRoom, today: string): FormErrors {
  const edit = editOf(form, room.version)
  return {
    ...byPath(checkRoomEdit(room, edit, { today })),
    ...schemaErrors(roomEdit.shape, plainFields, edit),
    ...typingErrors(form),
  }
}

/** A comparable value: days as `YYYY-MM-DD`, '' if there is none. */
type FieldValue = string | number

/** The editable values, by their path in the form. */
function valuesOf(form: RoomForm): Readonly<Record<string, FieldValue>> {
  const draft = draftOf(form)
  const counts = countsOf(draft)
  const licences = licencesOf(form.product, form.edition)
  const isMining = form.product === 'MINING'
  const texts = (section: FormSection) => roomTextsIn(section).map((name) => [name, draft[name] ?? ''] as const)
  return Object.fromEntries<FieldValue>([
    ['subMiningType', form.subMiningType],
    ['expirationDate', draft.expirationDate ?? form.expirationDate.trim()],
    ...licences.map(({ key }) => [`licenses.${key}`, counts(key)] as const),
    ...licences.flatMap(({ key }) => {
      const type = form.licensesInformation[key]
      return type === undefined ? [] : [[`licensesInformation.${key}`, type] as const]
    }),
    ['subLicenses.DataVolumeGB', isMining ? (countOf(form.subLicenses.DataVolumeGB) ?? '') : 0],
    ['process', form.process],
    ...texts('users'),
    ...texts('customer'),
    ['sapNumberLast', form.sapNumberLast.trim()],
    ...texts('sales'),
  ])
}

/** What is compared when the room has changed. */
export const editSettings = { of: valuesOf }
