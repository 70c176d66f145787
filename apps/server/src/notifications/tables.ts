/** The table of notifications for customers. */
import type { Generated } from 'kysely'
import type { ReadOnlyColumn } from '#platform/column-types.ts'

export interface NotificationTables {
  notifications: NotificationsTable
}

export interface NotificationsTable {
  id: Generated<number>
  message: string
  startAt: string
  endAt: string
  isPopup: boolean
  isDeactivated: boolean
  createdAt: ReadOnlyColumn<string>
}
