/** What is set for everybody. */
import type { Generated } from 'kysely'
import type { Defaulted, Made } from './column-types.ts'

export interface CloudConfigurationTable {
  is_set: Defaulted<true>
  youtube_identifier: string
}

export interface MaintenanceTable {
  is_set: Defaulted<true>
  is_on: boolean
  message: string
}

export interface NotificationsTable {
  id: Generated<number>
  message: string
  start_at: string
  end_at: string
  is_popup: boolean
  is_deactivated: boolean
  created_at: Made<string>
}
