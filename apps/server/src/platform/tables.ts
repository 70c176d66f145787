/** The tables as kysely sees them, by area in tables/; the truth is apps/server/schema. */
import type { DoctorFindingsTable, DoctorRunsTable } from './tables/doctor.ts'
import type {
  BackupTicketsTable,
  DatabaseBackupsTable,
  RemovedRoomsTable,
  RoomBackupsTable,
  UploadsTable,
} from './tables/files.ts'
import type {
  ForcedDeletionsTable,
  LiveMigrationRoomsTable,
  LiveMigrationStatesTable,
  LiveMigrationsTable,
  ReservedPlacesTable,
} from './tables/live-migrations.ts'
import type {
  EventsTable,
  IdempotencyKeysTable,
  LateCallsTable,
  OperationLogTable,
  OperationPlacesTable,
  OperationStepsTable,
  OperationsTable,
  WorkersTable,
} from './tables/operations.ts'
import type { AuditTable, FailedSignInsTable, OperatorsTable, SessionsTable, TurnsTable } from './tables/operators.ts'
import type { ForgottenRoomNamesTable, RegionsTable, RoomRoutesTable, RoomsTable } from './tables/rooms.ts'
import type { CloudConfigurationTable, MaintenanceTable, NotificationsTable } from './tables/settings.ts'

export type { DoctorFindingsTable, DoctorRunsTable } from './tables/doctor.ts'
export type { RoomBackupsTable } from './tables/files.ts'
export type { Failure, OperationsTable } from './tables/operations.ts'
export type { AuditChange } from './tables/operators.ts'
export type { RegionsTable, RoomsTable } from './tables/rooms.ts'
export type { NotificationsTable } from './tables/settings.ts'

export interface Tables {
  operators: OperatorsTable
  sessions: SessionsTable
  failed_sign_ins: FailedSignInsTable
  audit: AuditTable
  regions: RegionsTable
  rooms: RoomsTable
  operations: OperationsTable
  operation_steps: OperationStepsTable
  operation_log: OperationLogTable
  workers: WorkersTable
  idempotency_keys: IdempotencyKeysTable
  events: EventsTable
  uploads: UploadsTable
  room_backups: RoomBackupsTable
  database_backups: DatabaseBackupsTable
  removed_rooms: RemovedRoomsTable
  backup_tickets: BackupTicketsTable
  live_migrations: LiveMigrationsTable
  live_migration_rooms: LiveMigrationRoomsTable
  live_migration_states: LiveMigrationStatesTable
  forced_deletions: ForcedDeletionsTable
  reserved_places: ReservedPlacesTable
  cloud_configuration: CloudConfigurationTable
  maintenance: MaintenanceTable
  notifications: NotificationsTable
  turns: TurnsTable
  forgotten_room_names: ForgottenRoomNamesTable
  operation_places: OperationPlacesTable
  late_calls: LateCallsTable
  room_routes: RoomRoutesTable
  doctor_runs: DoctorRunsTable
  doctor_findings: DoctorFindingsTable
}
