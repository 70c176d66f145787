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

/** The columns that make up `rooms.search`, which has a trigram index to find substrings. */
export const indexedColumns: readonly string[] = indexedSearchFields.map(sqlColumn)

/** The columns of the index `rooms_search_more`, which is one of an expression. */
export const moreIndexedColumns: readonly string[] = (['companyName', 'sapNumber', 'sapNumberLast'] as const).map(
  sqlColumn,
)

/** All columns, in their order, that the trigram index with this one joins; undefined: no such index has it. */
export function joinedColumnsOf(column: string): readonly string[] | undefined {
  return [indexedColumns, moreIndexedColumns].find((each) => each.includes(column))
}

/** What the indexed texts of a room are joined by. */
export const separator = '\x1f'

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
