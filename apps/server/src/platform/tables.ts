/** The tables as kysely sees them; the truth is apps/server/schema. */
import type {
  BackupContents,
  Edition,
  FindingKind,
  FindingSeverity,
  LicenceInformation,
  LiveMigrationState,
  OperationState,
  ProcessType,
  Product,
  ProjectRoomState,
  Role,
  SalesChannel,
  SubLicenceEntry,
  SubMiningType,
} from '@roomkeeper/contract'
import type { BackupManifest } from '@roomkeeper/region-protocol'
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

type Made<T> = ColumnType<T, never, never>
/** Set by the database unless given. */
type Defaulted<T> = ColumnType<T, T | undefined, T>

export interface OperatorsTable {
  id: Generated<string>
  email: string
  name: string
  role: Role
  password_hash: string
  created_at: Made<string>
}

export interface SessionsTable {
  token_hash: Buffer
  operator_id: string
  awaits_second_factor: boolean
  created_at: Made<string>
  last_used_at: Defaulted<string>
}

export interface FailedSignInsTable {
  id: Generated<number>
  email: string
  address: string
  at: Defaulted<string>
}

export interface AuditChange {
  field: string
  from: unknown
  to: unknown
}

export interface AuditTable {
  id: Made<number>
  at: Made<string>
  actor: string
  action: string
  room_id: string | null
  room_name: string | null
  operation_id: string | null
  detail: string | null
  changes: JSONColumnType<AuditChange[], string | undefined, never>
  request_id: string | null
}

export interface RegionsTable {
  id: Generated<number>
  name: string
  url: string
  user_name: string
  password: string
  system_password: string
  products: string[]
  source_regions: Defaulted<number[]>
  state: Defaulted<'enabled' | 'disabled'>
  max_rooms: Defaulted<number>
  room_count: Generated<number>
  embedded_name: string | null
  /** Of the server itself; null until it has told one. */
  instance_id: Defaulted<string | null>
  /** Since when another server answers there. */
  other_server_at: Defaulted<string | null>
  created_at: Made<string>
}

export interface RoomsTable {
  id: string
  name: string
  product: Product
  edition: Edition
  region_id: number
  sap_number: string
  sap_number_last: string | null
  sales_channel: SalesChannel
  expiration_date: string | null
  created_at: Made<string>
  customer_first_name: string
  customer_last_name: string
  customer_email: string
  customer_contact_details: string | null
  company_name: string
  salesman: string | null
  salesman_email: string
  additional_email: string | null
  /** As stored: never DISABLED_REGION. */
  state: Exclude<ProjectRoomState, 'DISABLED_REGION'>
  priority: number
  error_message: string | null
  licences: JSONColumnType<Record<string, number>>
  licences_information: JSONColumnType<LicenceInformation[]>
  sub_licences: JSONColumnType<SubLicenceEntry[]>
  sub_mining_type: SubMiningType
  version: Defaulted<number>
}

export interface OperationsTable {
  id: string
  kind: string
  version: number
  process_type: string | null
  room_id: string | null
  room_name: string
  region_id: number | null
  input: JSONColumnType<Record<string, unknown>>
  state: OperationState
  step: string | null
  progress: Defaulted<number>
  error: string | null
  started_by: string
  request_id: string | null
  cancel_requested: Defaulted<boolean>
  attempt: Defaulted<number>
  fence: Defaulted<number>
  created_at: Made<string>
  /** When the present attempt began, or was accepted while it waits. */
  executed_at: Defaulted<string>
  ended_at: string | null
  parent_id: Defaulted<string | null>
  log_lines: Generated<number>
  /** Whoever runs it; null: nobody does, and unless it is in line it may be claimed. */
  worker_id: Defaulted<string | null>
  claimed_at: Defaulted<string | null>
  /** Waits for places on regions. */
  in_line: Defaulted<boolean>
  /** Why it failed; while it is open, it is being put back for that. */
  failure: JSONColumnType<Failure> | null
  /** Begun before the database was restored from a dump. */
  restored: Defaulted<boolean>
}

export interface Failure {
  /** The text that people see. */
  reason: string
  /** For the kind only. */
  sort: string | null
}

export interface OperationStepsTable {
  operation_id: string
  position: number
  name: string
  state: 'open' | 'running' | 'done' | 'failed' | 'undone'
  output: unknown
  started_at: string | null
  ended_at: string | null
  process_type: Defaulted<ProcessType | null>
  region_id: Defaulted<number | null>
  /** Of steps that have a process type. */
  room_name: Defaulted<string | null>
  /** Since when it fails for reasons that may pass, without getting further. */
  failing_since: Defaulted<string | null>
  /** That is its undo. */
  failing_undo: Defaulted<boolean>
  /** How much of it was done at most before the last of those failures. */
  furthest: Defaulted<number>
}

export interface OperationLogTable {
  operation_id: string
  n: number
  at: Defaulted<string>
  level: 'info' | 'warning' | 'error'
  text: string
  position: Defaulted<number | null>
}

export interface WorkersTable {
  id: string
  machine: string | null
  pid: number | null
  pid_began: string | null
  /** The operations that it says it runs. */
  running: Defaulted<string[]>
  started_at: Made<string>
  heartbeat_at: Defaulted<string>
}

export interface IdempotencyKeysTable {
  operator_id: string
  route: string
  key: string
  body_hash: Buffer
  operation_id: string
  at: Defaulted<string>
}

export interface EventsTable {
  id: Made<number>
  tx: Made<string>
  at: Made<string>
  payload: JSONColumnType<Record<string, unknown>>
}

export interface UploadsTable {
  name: string
  operator_id: string
  kind: 'backup' | 'database'
  store_key: string
  file_name: string
  size: number
  sha256: string
  contents: JSONColumnType<BackupContents> | null
  manifest: JSONColumnType<BackupManifest> | null
  created_at: Made<string>
  taken_at: string | null
  delete_after: string | null
}

export interface RoomBackupsTable {
  id: string
  room_id: string
  room_name: string
  kind: 'classic' | 'd2o'
  location: string
  size: number
  sha256: string
  verified_at: string | null
  created_at: Made<string>
  expires_at: string | null
  checked_at: Defaulted<string | null>
}

/** Rooms that were removed with their region and left backups. */
export interface RemovedRoomsTable {
  room_id: string
  room_name: string
  region_name: string
  removed_at: Made<string>
}

export interface DatabaseBackupsTable {
  id: string
  room_id: string
  database_name: string
  store_key: string
  size: number
  sha256: string
  sealed_password: string
  created_at: Made<string>
  expires_at: string | null
  checked_at: Defaulted<string | null>
}

export interface BackupTicketsTable {
  token_hash: Buffer
  backup_id: string
  expires_at: string
}

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

export interface TurnsTable {
  what: string
  who: string
  at: string[]
  was_refused: Defaulted<boolean>
  last_at: Defaulted<string>
}

export interface ForgottenRoomNamesTable {
  id: Generated<string>
  email: string
  asked_at: Made<string>
  due_at: Defaulted<string>
}

export interface OperationPlacesTable {
  operation_id: string
  region_id: number
  n: number
  held: Defaulted<boolean>
  attempt: number
}

export interface RoomRoutesTable {
  room_id: string
  region_id: number
  room_name: string
  target_region_id: number
}

export interface DoctorRunsTable {
  id: string
  operation_id: string | null
  started_by: string
  state: Defaulted<'running' | 'done' | 'failed' | 'cancelled'>
  started_at: Made<string>
  beat_at: Defaulted<string>
  ended_at: string | null
  progress: JSONColumnType<Record<string, unknown>, string | undefined, string>
}

export interface DoctorFindingsTable {
  id: Generated<string>
  key: string
  kind: FindingKind
  severity: FindingSeverity
  section: string
  room_id: string | null
  room_name: string | null
  region_id: number | null
  region_ids: Defaulted<number[]>
  subject: string | null
  facts: JSONColumnType<Record<string, string | number>>
  found_at: Defaulted<string>
  seen_at: Defaulted<string>
  run_id: string
  closed_at: string | null
  operation_id: string | null
}

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
  room_routes: RoomRoutesTable
  doctor_runs: DoctorRunsTable
  doctor_findings: DoctorFindingsTable
}
