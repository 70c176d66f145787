/** The table of project rooms. */
import type { LicenceInformation, LicenceTotalKey, Reasons, SubLicenceEntry } from '@roomkeeper/contract'
import type { ColumnType, GeneratedAlways, JSONColumnType } from 'kysely'
import type { Defaulted, MaybeJson } from '#platform/column-types.ts'
import type { FieldColumns } from './room-field-columns.ts'
import type { RoomErrorCode, RoomState } from './stored-room.ts'

export interface RoomTables {
  rooms: RoomsTable
}

/** Columns that PostgreSQL computes from the licences; null if the room has no such licence. */
type CountedLicences = Record<LicenceTotalKey, GeneratedAlways<number | null>>

/** The columns of the field catalogue, except those that are never written or are stored differently than shown. */
type StoredFields = Omit<FieldColumns, 'createdAt' | 'state'>

export interface RoomsTable extends CountedLicences, StoredFields {
  id: string
  createdAt: ColumnType<string, string | undefined, never>
  state: RoomState
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
