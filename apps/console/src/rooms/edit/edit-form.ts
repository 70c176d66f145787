/** The form of a stored room: the edit that it would send, its errors, and what was changed. */
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
import { draftOf, type RoomForm } from '../form/room-form.ts'
import { byPath, dayErrors, schemaErrors } from '../form/room-form-errors.ts'

/** The fields whose schema reads what the form holds. */
const plainFields = ['sapNumberLast', ...roomFieldsWith('form')] as const

/** @param version of the room that the changes were made on */
export function editOf(form: RoomForm, version: number): RoomEdit {
  const { product, edition, region, sapNumber, productType, priority, ...changeable } = withDelegate(draftOf(form))
  return { ...changeable, version, sapNumberLast: form.sapNumberLast.trim() }
}

/** Everything that is wrong, in English; @param today in UTC, `YYYY-MM-DD` */
export function errorsOfEdit(form: RoomForm, room: ProjectRoom, today: string): FormErrors {
  const edit = editOf(form, room.version)
  return {
    ...byPath(checkRoomEdit(room, edit, { today })),
    ...schemaErrors(roomEdit.shape, plainFields, edit),
    ...dayErrors(form),
  }
}

/** A value as it can be compared: the day as `YYYY-MM-DD`, blank for nothing. */
export type FieldValue = string | number

/** The editable values, by their path in the form. */
export function valuesOf(form: RoomForm): Map<string, FieldValue> {
  const draft = draftOf(form)
  const counts = countsOf(draft)
  const licences = licencesOf(form.product, form.edition)
  const isMining = form.product === 'MINING'
  const texts = (section: FormSection) => roomTextsIn(section).map((name) => [name, draft[name] ?? ''] as const)
  return new Map<string, FieldValue>([
    ['subMiningType', form.subMiningType],
    ['expirationDate', draft.expirationDate ?? form.expirationDate.trim()],
    ...licences.map(({ key }) => [`licenses.${key}`, counts(key)] as const),
    ...licences.flatMap(({ key }) => {
      const type = form.licensesInformation[key]
      return type === undefined ? [] : [[`licensesInformation.${key}`, type] as const]
    }),
    ['subLicenses.DataVolumeGB', isMining ? Number(form.subLicenses.DataVolumeGB) : 0],
    ['process', form.process],
    ...texts('users'),
    ...texts('customer'),
    ['sapNumberLast', form.sapNumberLast.trim()],
    ...texts('sales'),
  ])
}

/** The paths at which two forms of the same room differ, in the order of the page. */
export function differencesOf(one: RoomForm, other: RoomForm): string[] {
  const others = valuesOf(other)
  return [...valuesOf(one)].filter(([path, value]) => !Object.is(value, others.get(path))).map(([path]) => path)
}

/**
 * What to do with entries when the room was changed meanwhile: nothing was entered that differs from it, so the form
 * follows; the change concerns nothing in the form, so editing goes on; or the operator has to decide.
 * @param before the form that the entries were made on; @param stored that of the room as it is now
 */
export function whenChanged(entered: RoomForm, before: RoomForm, stored: RoomForm): 'follow' | 'go-on' | 'conflict' {
  if (differencesOf(entered, before).length === 0 || differencesOf(entered, stored).length === 0) return 'follow'
  return differencesOf(before, stored).length === 0 ? 'go-on' : 'conflict'
}

/** The form with the values of another one at some paths. */
export function withFieldsOf(form: RoomForm, other: RoomForm, paths: readonly string[]): RoomForm {
  const result = {
    ...form,
    licenses: { ...form.licenses },
    licensesInformation: { ...form.licensesInformation },
    subLicenses: { ...form.subLicenses },
  }
  for (const path of paths) copyField(path, other, result)
  return result
}

function copyField(path: string, from: RoomForm, to: RoomForm): void {
  const [field, key = ''] = path.split('.')
  const { [key]: count } = from.licenses
  const { [key]: type } = from.licensesInformation
  if (field === 'licenses' && count !== undefined) to.licenses[key] = count
  else if (field === 'licensesInformation' && type !== undefined) to.licensesInformation[key] = type
  else if (field === 'subLicenses') to.subLicenses = { ...from.subLicenses }
  else Object.assign(to, { [path]: from[path as keyof RoomForm] })
}
