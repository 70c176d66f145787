/** The errors of the form of a new room: the schemas of single fields, then the rules between fields. */
import {
  codedError,
  type FieldError,
  fieldErrorsOf,
  type Region,
  roomDraft,
  roomFieldsWith,
} from '@roomkeeper/contract'
import { checkNewRoom, regionIsFull } from '@roomkeeper/rules'
import { z } from 'zod'
import { parseDay } from '#ui/day.ts'
import type { FormErrors } from '#ui/form/resource-form.ts'
import { draftOf, type RoomForm } from './room-form.ts'

/** The fields whose schemas can check the form's values. The others are chosen from a list or checked by the rules. */
const plainFields = ['tenantName', 'region', 'sapNumber', ...roomFieldsWith('form')] as const

/** @param region the chosen region, if any @param today in UTC, `YYYY-MM-DD` */
export function errorsOfNewRoom(form: RoomForm, region: Region | undefined, today: string): FormErrors {
  const draft = draftOf(form)
  const full = region !== undefined && regionIsFull(region)
  return {
    ...byPath(checkNewRoom(draft, { today })),
    ...schemaErrors(roomDraft.shape, plainFields, draft),
    ...(full ? { region: codedError('region-full') } : {}),
    ...typingErrors(form),
  }
}

/** The errors of the rules, by their path in the form. */
export function byPath(found: readonly FieldError[]): FormErrors {
  return Object.fromEntries(found.map((each) => [pathOf(each.field), each]))
}

/** The errors of single fields according to their schemas. */
export function schemaErrors<Field extends string>(
  shape: Record<Field, z.ZodType>,
  fields: readonly Field[],
  values: Record<Field, unknown>,
): FormErrors {
  const found = fields.flatMap((field) => {
    const { error } = z.safeParse(shape[field], Number.isNaN(values[field]) ? undefined : values[field])
    const [first] = error === undefined ? [] : fieldErrorsOf(error)
    return first === undefined ? [] : [[field, first] as const]
  })
  return Object.fromEntries(found)
}

/** The error of what is typed but is no day. It comes before all others: the rules judge only values. */
export function typingErrors(form: RoomForm): FormErrors {
  const isUnreadable = form.expirationDate.trim() !== '' && parseDay(form.expirationDate) === null
  return isUnreadable ? { expirationDate: codedError('day-unreadable') } : {}
}

/** The path in the form that shows a field of the wire. */
export function pathOf(field: string): string {
  return field === 'subLicenses' ? 'process' : field
}

/** Counts and a chosen region start valid, so that their errors are shown at once. */
export function showsAtOnce(path: string, { region }: RoomForm): boolean {
  return path.startsWith('licenses.') || path.startsWith('subLicenses.') || (path === 'region' && region !== null)
}
