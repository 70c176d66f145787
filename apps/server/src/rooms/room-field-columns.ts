/** Maps the fields of the contract's catalogue to the columns of `rooms`. */
import { type RoomFieldEntry, type RoomFieldName, roomFieldCatalogue, roomFieldsWith } from '@roomkeeper/contract'
import type { z } from 'zod'
import { columnOf } from '#platform/column-names.ts'

type Catalogue = typeof roomFieldCatalogue

type ColumnOf<Name extends RoomFieldName> = Catalogue[Name] extends { column: infer Column extends string }
  ? Column
  : Name

type Value<Name extends RoomFieldName> = z.output<Catalogue[Name]['shown']>

/** By the names that forms and the wire use. */
type FieldValues<Name extends RoomFieldName = RoomFieldName> = { [Each in Name]: Value<Each> }

/** By the names that rows of `rooms` use. */
export type FieldColumns<Name extends RoomFieldName = RoomFieldName> = { [Each in Name as ColumnOf<Each>]: Value<Each> }

const entries: Readonly<Record<RoomFieldName, RoomFieldEntry>> = roomFieldCatalogue
const names = Object.keys(entries) as RoomFieldName[]
const columns = names.map((field) => ({ field, column: columnOfField(field) }))

/** In camelCase, as in rows. */
export function columnOfField(field: RoomFieldName): keyof FieldColumns {
  return (entries[field].column ?? field) as keyof FieldColumns
}

export const fieldColumns: readonly (keyof FieldColumns)[] = columns.map(({ column }) => column)
/** For SQL text: the columns that a creation sets, and those that an edit can change. */
export const createdColumns = listOfColumns('creation')
export const editableColumns = listOfColumns('edit')

function listOfColumns(part: 'creation' | 'edit'): string {
  const ofFields = roomFieldsWith(part).map((field) => columnOf(columnOfField(field)))
  return [...ofFields, 'licences', 'licences_information', 'sub_licences'].join(', ')
}

/** The given fields as columns. */
export function columnsOf<Name extends RoomFieldName>(
  fields: readonly Name[],
  values: FieldValues<Name>,
): FieldColumns<Name> {
  return Object.fromEntries(fields.map((field) => [columnOfField(field), values[field]])) as FieldColumns<Name>
}

/** The fields of a row. A plain loop for speed, because the list calls it for a hundred rows. */
export function fieldsOf(row: FieldColumns): FieldValues {
  const fields: Record<string, unknown> = {}
  for (const { field, column } of columns) fields[field] = row[column]
  return fields as FieldValues
}
