/** What the form of a stored room stands for: the edit that it would send, what is wrong with it, what was changed. */
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
import { byPlace, dayErrors, schemaErrors } from '../form/room-form-errors.ts'

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
    ...byPlace(checkRoomEdit(room, edit, { today })),
    ...schemaErrors(roomEdit.shape, plainFields, edit),
    ...dayErrors(form),
  }
}

/** A value as it can be compared: the day as `YYYY-MM-DD`, blank for nothing. */
export type FieldValue = string | number

/** What can be changed, by its place in the form. */
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

/** The places at which two forms of the same room differ, in the order of the page. */
export function differencesOf(one: RoomForm, other: RoomForm): string[] {
  const others = valuesOf(other)
  return [...valuesOf(one)].filter(([place, value]) => !Object.is(value, others.get(place))).map(([place]) => place)
}

/**
 * What to do with entries when the room was changed meanwhile: nobody has entered anything that differs from it, so
 * that the form follows; what was changed does not stand in the form; or somebody has to decide.
 * @param before the form that the entries were made on; @param stored that of the room as it is now
 */
export function whenChanged(entered: RoomForm, before: RoomForm, stored: RoomForm): 'follow' | 'go-on' | 'conflict' {
  if (differencesOf(entered, before).length === 0 || differencesOf(entered, stored).length === 0) return 'follow'
  return differencesOf(before, stored).length === 0 ? 'go-on' : 'conflict'
}

/** The form with what another one holds at some places. */
export function withPlacesOf(form: RoomForm, other: RoomForm, places: readonly string[]): RoomForm {
  const result = {
    ...form,
    licenses: { ...form.licenses },
    licensesInformation: { ...form.licensesInformation },
    subLicenses: { ...form.subLicenses },
  }
  for (const place of places) copyPlace(place, other, result)
  return result
}

function copyPlace(place: string, from: RoomForm, to: RoomForm): void {
  const [field, key = ''] = place.split('.')
  const { [key]: count } = from.licenses
  const { [key]: type } = from.licensesInformation
  if (field === 'licenses' && count !== undefined) to.licenses[key] = count
  else if (field === 'licensesInformation' && type !== undefined) to.licensesInformation[key] = type
  else if (field === 'subLicenses') to.subLicenses = { ...from.subLicenses }
  else Object.assign(to, { [place]: from[place as keyof RoomForm] })
}
