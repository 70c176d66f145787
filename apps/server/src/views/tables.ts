/** The table of views of the list of rooms. */
import type { ViewColumns } from '@roomkeeper/contract'
import type { ColumnType, Generated } from 'kysely'
import type { ReadOnlyColumn } from '#platform/column-types.ts'

export interface ViewTables {
  views: ViewsTable
}

export interface ViewsTable {
  id: Generated<string>
  operatorId: string
  name: string
  isShared: boolean
  query: string
  columns: ColumnType<ViewColumns, string, string>
  createdAt: ReadOnlyColumn<string>
}
