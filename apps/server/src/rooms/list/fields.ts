/** How the list compares each field, and in which column. */
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
  wordFields,
} from '@roomkeeper/contract'
import { columnOf } from '#platform/column-names.ts'
import { columnOfField } from '../room-field-columns.ts'

/** `column` is the name in SQL. `none`, a literal, stands in the column for a time that never was, before all others. */
export type ColumnField = Comparison & { column: string; none?: string }
export type Field = ColumnField | { kind: 'region-name' }

/** The column `last_backup_at` of a room without a backup. */
export const noBackup = '0001-01-01 00:00:00+00'

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
  lastBackup: { kind: 'time', column: 'last_backup_at', none: noBackup },
}

/** The columns that make up `rooms.search`, in their order. */
export const searchedColumns: readonly string[] = wordFields.map(sqlColumn)

/** Those of them before the middle, which are searched together. */
export const firstColumns: readonly string[] = indexedSearchFields.map(sqlColumn)

/** What the texts in `rooms.search` are joined by. */
export const separator = '\x1f'
/** What stands there instead, once, after the first columns. */
export const middle = '\x1e'

export function hasJoint(text: string): boolean {
  return text.includes(separator) || text.includes(middle)
}

/** The columns that `room_totals` also has, under the same names. */
export const summarisedColumns: readonly string[] = ['region_id', 'state', 'product', 'edition', 'sales_channel']

export function isRoomField(name: string): name is RoomField {
  return (roomFields as readonly string[]).includes(name)
}

export function isSearchField(name: string): name is SearchField {
  return (searchFields as readonly string[]).includes(name)
}

export function searchColumn(field: SearchField): string {
  return columnFields[field].column
}
