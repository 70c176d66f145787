/** Project rooms. */
import type { LicenceInformation, LicenceTotalKey, ProjectRoomState, SubLicenceEntry } from '@roomkeeper/contract'
import type { GeneratedAlways, JSONColumnType } from 'kysely'
import type { Defaulted, Made } from '#platform/column-types.ts'
import type { FieldColumns } from './room-field-columns.ts'

export interface RoomTables {
  rooms: RoomsTable
}

/** Computed from the licences, null where there are none. */
type CountedLicences = Record<LicenceTotalKey, GeneratedAlways<number | null>>

/** Those of the catalogue of fields, but for what is not written, or not stored, as it is shown. */
type StoredFields = Omit<FieldColumns, 'createdAt' | 'state'>

/** `lost`: its region does not have it, or not what was moved there. */
export type RoomErrorCode = 'lost'

export interface RoomsTable extends CountedLicences, StoredFields {
  id: string
  createdAt: Made<string>
  /** As stored: never DISABLED_REGION. */
  state: Exclude<ProjectRoomState, 'DISABLED_REGION'>
  licences: JSONColumnType<Record<string, number>>
  licencesInformation: JSONColumnType<LicenceInformation[]>
  subLicences: JSONColumnType<SubLicenceEntry[]>
  /** Why it is in the state ERROR, where something depends on that. */
  errorCode: Defaulted<RoomErrorCode | null>
  version: Defaulted<number>
  /** What the search looks through. */
  search: GeneratedAlways<string | null>
}
