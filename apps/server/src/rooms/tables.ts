/** The table of project rooms. */
import type {
  LicenceInformation,
  LicenceTotalKey,
  ProjectRoomState,
  Reasons,
  SubLicenceEntry,
} from '@roomkeeper/contract'
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { Defaulted, MaybeJson, ReadOnlyColumn } from '#platform/column-types.ts'
import type { FieldColumns } from './room-field-columns.ts'

export interface RoomTables {
  rooms: RoomsTable
  expiryReminders: ExpiryRemindersTable
  deletedRooms: DeletedRoomsTable
  purgedRooms: PurgedRoomsTable
  roomRecordsDue: RoomRecordsDueTable
}

/** Rooms whose region has not got the console's record of them, or not the present one. */
export interface RoomRecordsDueTable {
  roomId: string
  changes: Defaulted<number>
  tryAt: Defaulted<string>
}

/** Rooms that were deleted and can come back. */
export interface DeletedRoomsTable {
  id: Generated<string>
  roomId: string
  name: string
  product: string
  edition: string
  customerEmail: string
  companyName: string
  columns: JSONColumnType<Record<string, unknown>>
  backupId: string | null
  deletedAt: ReadOnlyColumn<string>
  deletedBy: string
  keptUntil: string
  operationId: string | null
  /** Since when it can only be purged; null: it can come back. */
  purgeBegunAt: string | null
  /** The files that its purges have removed, or were about to. */
  purgedFiles: JSONColumnType<Record<string, unknown>[]>
  /** Who had a purge that failed retried; null: it goes on for who began it. */
  purgeRetriedBy: string | null
}

/** Rooms of which nothing is left but a certificate. */
export interface PurgedRoomsTable {
  id: string
  roomId: string
  name: string
  companyName: string
  statement: JSONColumnType<Record<string, unknown>>
  sha256: string
  auditId: number
  purgedAt: string
  purgedBy: string
}

/** Which reminders of a room's last day were sent. */
export interface ExpiryRemindersTable {
  roomId: string
  expirationDate: string
  days: number
  /** Null: a later reminder was sent instead. */
  operationId: string | null
  at: ReadOnlyColumn<string>
}

/** Columns that PostgreSQL computes from the licences; null if the room has no such licence. */
type CountedLicences = Record<LicenceTotalKey, GeneratedAlways<number | null>>

/** The columns of the field catalogue, except those that are never written or are stored differently than shown. */
type StoredFields = Omit<FieldColumns, 'createdAt' | 'state'>

/** `lost` means that the region does not have the room, or not with the content that was moved there. */
export type RoomErrorCode = 'lost'

export interface RoomsTable extends CountedLicences, StoredFields {
  id: string
  createdAt: ColumnType<string, string | undefined, never>
  /** The stored state is never DISABLED_REGION. */
  state: Exclude<ProjectRoomState, 'DISABLED_REGION'>
  licences: JSONColumnType<Record<string, number>>
  licencesInformation: JSONColumnType<LicenceInformation[]>
  subLicences: JSONColumnType<SubLicenceEntry[]>
  /** Why the room is in ERROR, for the causes that the code treats specially. */
  errorCode: Defaulted<RoomErrorCode | null>
  /** What the message says, by its codes. */
  errorReasons: MaybeJson<Reasons>
  version: Defaulted<number>
  /** When the newest backup was made that is not known to be bad, kept by triggers; for none see list/query.ts. */
  lastBackupAt: GeneratedAlways<string>
  /** When that backup was last restored in a test. */
  lastBackupRestoredAt: GeneratedAlways<string | null>
  /** The text in which the search looks. */
  search: GeneratedAlways<string | null>
}
