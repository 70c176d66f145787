/** Project rooms. */
import type {
  Edition,
  LicenceInformation,
  LicenceTotalKey,
  Product,
  ProjectRoomState,
  SalesChannel,
  SubLicenceEntry,
  SubMiningType,
} from '@roomkeeper/contract'
import type { GeneratedAlways, JSONColumnType } from 'kysely'
import type { Defaulted, Made } from '#platform/column-types.ts'

export interface RoomTables {
  rooms: RoomsTable
}

/** Computed from the licences, null where there are none. */
type CountedLicences = Record<LicenceTotalKey, GeneratedAlways<number | null>>

export interface RoomsTable extends CountedLicences {
  id: string
  name: string
  product: Product
  edition: Edition
  regionId: number
  sapNumber: string
  sapNumberLast: string | null
  salesChannel: SalesChannel
  expirationDate: string | null
  createdAt: Made<string>
  customerFirstName: string
  customerLastName: string
  customerEmail: string
  customerContactDetails: string | null
  companyName: string
  salesman: string | null
  salesmanEmail: string
  additionalEmail: string | null
  /** As stored: never DISABLED_REGION. */
  state: Exclude<ProjectRoomState, 'DISABLED_REGION'>
  priority: number
  errorMessage: string | null
  licences: JSONColumnType<Record<string, number>>
  licencesInformation: JSONColumnType<LicenceInformation[]>
  subLicences: JSONColumnType<SubLicenceEntry[]>
  subMiningType: SubMiningType
  version: Defaulted<number>
  /** What the search looks through. */
  search: GeneratedAlways<string | null>
}
