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
    ['subLicenses.DataVolumeGB', isMining ? (countOf(form.subLicenses.DataVolumeGB) ?? '') : 0],
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
 * What to do with entries if the room was changed meanwhile. `follow`: no entry differs from the stored room, so the
 * form takes its values; `go-on`: no field of the form has changed in the room; `conflict`: the operator has to decide.
 * @param before the form on which the entries are based
 * @param stored the form of the room as it is now
 */
export function whenChanged(entered: RoomForm, before: RoomForm, stored: RoomForm): 'follow' | 'go-on' | 'conflict' {
  if (differencesOf(entered, before).length === 0 || differencesOf(entered, stored).length === 0) return 'follow'
  return differencesOf(before, stored).length === 0 ? 'go-on' : 'conflict'
}

/** A copy of the form with another form's values at the given paths. */
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
