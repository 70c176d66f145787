/** How lists compare each field, and with which column. */
import {
  type Comparison,
  indexedSearchFields,
  type RoomField,
  type RoomFieldName,
  type RoomFieldWith,
  roomFieldCatalogue,
  roomFields,
  roomFieldsWith,
  type SearchField,
  searchFields,
} from '@roomkeeper/contract'
import { columnOf } from '#platform/column-names.ts'
import { columnOfField } from '../room-field-columns.ts'

/** With the name of the column in SQL. */
export type ColumnField = Comparison & { column: string }
export type Field = ColumnField | { kind: 'region-name' }

const sqlColumn = (field: RoomFieldName) => columnOf(columnOfField(field))
const columnFields = Object.fromEntries(
  roomFieldsWith('comparedAs').map((field) => {
    return [field, { ...roomFieldCatalogue[field].comparedAs, column: sqlColumn(field) }]
  }),
) as Record<RoomFieldWith<'comparedAs'>, ColumnField>

export const fields: Readonly<Record<RoomField, Field>> = {
  ...columnFields,
  state: columnFields.projectRoomState,
  regionName: { kind: 'region-name' },
}

/** Columns that make up `rooms.search`, which a trigram index finds substrings in. */
export const indexedColumns: readonly string[] = indexedSearchFields.map(sqlColumn)

/** Columns that room_totals has too, under the same names. */
export const summarisedColumns: readonly string[] = ['region_id', 'state', 'product', 'edition', 'sales_channel']

export function isRoomField(name: string): name is RoomField {
  return (roomFields as readonly string[]).includes(name)
}

export function isSearchField(name: string): name is SearchField {
  return (searchFields as readonly string[]).includes(name)
}

/** The column of a field that can be searched. */
export function searchColumn(field: SearchField): string {
  return columnFields[field].column
}
