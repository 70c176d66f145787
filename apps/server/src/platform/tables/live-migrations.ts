/** Moves of rooms from region to region. */
import type { LiveMigrationState } from '@roomkeeper/contract'
import type { Generated } from 'kysely'
import type { Defaulted, Made } from './column-types.ts'

export interface LiveMigrationsTable {
  id: Generated<number>
  source_region_id: number
  target_region_id: number
  state: Defaulted<LiveMigrationState>
  routing: Defaulted<boolean>
  parallel: Defaulted<boolean>
  warning: Defaulted<boolean>
  run_id: string | null
  started_at: string | null
  created_at: Made<string>
}

export interface LiveMigrationRoomsTable {
  run_id: string
  position: number
  migration_id: number
  room_id: string
  room_name: string
  state: Defaulted<'waiting' | 'running' | 'migrated' | 'postponed' | 'failed'>
  operation_id: string | null
  reason: string | null
  bytes: number | null
  bytes_at: string | null
  ended_at: string | null
}

export interface LiveMigrationStatesTable {
  id: Generated<number>
  migration_id: number
  room_id: string
  room_name: string
  outcome: 'migrated' | 'postponed' | 'failed'
  operation_id: string | null
  at: Defaulted<string>
  log: Defaulted<string>
  error: Defaulted<string>
  source_region_id: Defaulted<number | null>
  target_region_id: Defaulted<number | null>
}

export interface ForcedDeletionsTable {
  region_id: number
  operation_id: string
  ended_at: Defaulted<string>
}

export interface ReservedPlacesTable {
  room_id: string
  region_id: number
  operation_id: string
}
