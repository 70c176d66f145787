/** The fields of the contract's catalogue as columns of `rooms`. */
import { type RoomFieldEntry, type RoomFieldName, roomFieldCatalogue } from '@roomkeeper/contract'
import type { z } from 'zod'

type Catalogue = typeof roomFieldCatalogue

type ColumnOf<Name extends RoomFieldName> = Catalogue[Name] extends { column: infer Column extends string }
  ? Column
  : Name

type Value<Name extends RoomFieldName> = z.output<Catalogue[Name]['shown']>

/** As forms and wire name them. */
type FieldValues<Name extends RoomFieldName = RoomFieldName> = { [Each in Name]: Value<Each> }

/** As rows of `rooms` name them. */
export type FieldColumns<Name extends RoomFieldName = RoomFieldName> = { [Each in Name as ColumnOf<Each>]: Value<Each> }

const entries: Readonly<Record<RoomFieldName, RoomFieldEntry>> = roomFieldCatalogue
const names = Object.keys(entries) as RoomFieldName[]
const columns = names.map((field) => ({ field, column: columnOfField(field) }))

/** In camelCase, as rows have it. */
export function columnOfField(field: RoomFieldName): keyof FieldColumns {
  return (entries[field].column ?? field) as keyof FieldColumns
}

export const fieldColumns: readonly (keyof FieldColumns)[] = columns.map(({ column }) => column)

/** The columns that hold some of the fields. */
export function columnsOf<Name extends RoomFieldName>(
  fields: readonly Name[],
  values: FieldValues<Name>,
): FieldColumns<Name> {
  return Object.fromEntries(fields.map((field) => [columnOfField(field), values[field]])) as FieldColumns<Name>
}

/** The fields of a row. A loop, because the list asks for a hundred rows. */
export function fieldsOf(row: FieldColumns): FieldValues {
  const fields: Record<string, unknown> = {}
  for (const { field, column } of columns) fields[field] = row[column]
  return fields as FieldValues
}
