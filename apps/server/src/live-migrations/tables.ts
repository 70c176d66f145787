/** Tables of live migrations. */
import type { LiveMigrationState, LogLine, Reasons } from '@roomkeeper/contract'
import type { Generated } from 'kysely'
import type { Defaulted, MaybeJson, ReadOnlyColumn } from '#platform/column-types.ts'

export interface LiveMigrationTables {
  liveMigrations: LiveMigrationsTable
  liveMigrationStates: LiveMigrationStatesTable
  forcedDeletions: ForcedDeletionsTable
  capacityReservations: CapacityReservationsTable
}

export interface LiveMigrationsTable {
  id: Generated<number>
  sourceRegionId: number
  targetRegionId: number
  state: Defaulted<LiveMigrationState>
  routing: Defaulted<boolean>
  parallel: Defaulted<boolean>
  warning: Defaulted<boolean>
  runId: string | null
  startedAt: string | null
  createdAt: ReadOnlyColumn<string>
  /** One more at each change of the regions, routing or parallel. */
  version: Generated<number>
}

export interface LiveMigrationStatesTable {
  id: Generated<number>
  migrationId: number
  roomId: string
  roomName: string
  outcome: 'migrated' | 'postponed' | 'failed'
  operationId: string | null
  at: Defaulted<string>
  log: Defaulted<string>
  lines: MaybeJson<LogLine[]>
  error: Defaulted<string>
  errorReasons: MaybeJson<Reasons>
  sourceRegionId: Defaulted<number | null>
  targetRegionId: Defaulted<number | null>
}

export interface ForcedDeletionsTable {
  regionId: number
  operationId: string
  endedAt: Defaulted<string>
}

export interface CapacityReservationsTable {
  roomId: string
  regionId: number
  operationId: string
}
