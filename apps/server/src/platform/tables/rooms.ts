/** Regions and the rooms on them. */
import type {
  Edition,
  LicenceInformation,
  Product,
  ProjectRoomState,
  SalesChannel,
  SubLicenceEntry,
  SubMiningType,
} from '@roomkeeper/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { Defaulted, Made } from './column-types.ts'

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

export interface RoomRoutesTable {
  room_id: string
  region_id: number
  room_name: string
  target_region_id: number
}

export interface ForgottenRoomNamesTable {
  id: Generated<string>
  email: string
  asked_at: Made<string>
  due_at: Defaulted<string>
}
